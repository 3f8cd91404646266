// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import java.util.concurrent.RecursiveAction;

/** Unbalanced tree search: uts.h. */
final class uts_forkjoin extends Harness.Problem {
    private static final int CHILDREN_AT_MOST = 100;
    private final Harness.Number branching = number("b", 4, 1, 20);
    private final Harness.Number depthLimit = number("d", 10, 0, 20);
    private final Harness.Number seed = number("r", 19, 0, 0xFFFFFFFFL);
    private Node result;

    /** SHA-1 of the words of a message that fits one block; `words` has 80 places, and the first `count` are the message. */
    private static int[] sha1(int[] words, int count) {
        words[count] = 0x80000000;
        words[15] = 32 * count;
        for (int t = 16; t < 80; ++t)
            words[t] = Integer.rotateLeft(words[t - 3] ^ words[t - 8] ^ words[t - 14] ^ words[t - 16], 1);
        int a = 0x67452301, b = 0xEFCDAB89, c = 0x98BADCFE, d = 0x10325476, e = 0xC3D2E1F0;
        for (int t = 0; t < 80; ++t) {
            int mixed = t < 20 ? ((b & c) | (~b & d)) + 0x5A827999
                : t < 40 ? (b ^ c ^ d) + 0x6ED9EBA1
                : t < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDC : (b ^ c ^ d) + 0xCA62C1D6;
            int next = Integer.rotateLeft(a, 5) + mixed + e + words[t];
            e = d;
            d = c;
            c = Integer.rotateLeft(b, 30);
            b = a;
            a = next;
        }
        return new int[] {a + 0x67452301, b + 0xEFCDAB89, c + 0x98BADCFE, d + 0x10325476, e + 0xC3D2E1F0};
    }

    private static int[] childOf(int[] state, int index) {
        int[] words = new int[80];
        System.arraycopy(state, 0, words, 0, 5);
        words[5] = index;
        return sha1(words, 6);
    }

    private static final class Node extends RecursiveAction {
        final int[] state;
        final int depth;
        final int branching;
        final int depthLimit;
        final boolean counted;
        long nodes;
        long leaves;
        int deepest;

        Node(int[] state, int depth, int branching, int depthLimit, boolean counted) {
            this.state = state;
            this.depth = depth;
            this.branching = branching;
            this.depthLimit = depthLimit;
            this.counted = counted;
        }

        int children() {
            if (depth >= depthLimit) return 0;
            double drawn = (state[4] & 0x7FFFFFFF) / 2147483648.0;
            return Math.min((int) Math.floor(Math.log(1 - drawn) / Math.log(1 - 1.0 / (1.0 + branching))), CHILDREN_AT_MOST);
        }

        Node child(int index) {
            return new Node(childOf(state, index), depth + 1, branching, depthLimit, counted);
        }

        void beginCount(int children) {
            nodes = 1;
            leaves = children == 0 ? 1 : 0;
            deepest = depth;
        }

        void add(Node below) {
            nodes += below.nodes;
            leaves += below.leaves;
            deepest = Math.max(deepest, below.deepest);
        }

        @Override
        protected void compute() {
            if (counted) Harness.note(0);
            int children = children();
            beginCount(children);
            Node[] all = new Node[children];
            for (int i = 0; i < children; ++i) (all[i] = child(i)).fork();
            for (int i = children - 1; i >= 0; --i) {
                all[i].join();
                add(all[i]);
            }
        }

        void countSerially() {
            int children = children();
            beginCount(children);
            for (int i = 0; i < children; ++i) {
                Node below = child(i);
                below.countSerially();
                add(below);
            }
        }

        String text() {
            return nodes + " nodes, " + leaves + " leaves, depth " + deepest;
        }
    }

    private Node root() {
        int[] words = new int[80];
        words[4] = (int) seed.value;
        return new Node(sha1(words, 5), 0, (int) branching.value, (int) depthLimit.value, counted);
    }

    @Override
    String name() {
        return "uts";
    }

    @Override
    String unit() {
        return "node";
    }

    @Override
    void makeSmall() {
        depthLimit.value = 6;
    }

    @Override
    void run() {
        result = root();
        pool.invoke(result);
    }

    @Override
    long units() {
        return result.nodes;
    }

    @Override
    String verify() {
        String right = "4130071 nodes, 3305118 leaves, depth 10";
        if (branching.value != 4 || depthLimit.value != 10 || seed.value != 19) {
            Node serially = root();
            serially.countSerially();
            right = serially.text();
        }
        return result.text().equals(right) ? null : result.text() + " instead of " + right;
    }

    public static void main(String[] words) throws Exception {
        Harness.mainOf(words, new uts_forkjoin(), new uts_forkjoin());
    }
}
