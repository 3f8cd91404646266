// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import java.util.concurrent.RecursiveAction;

/** A loop over an array of 40 MB, several times: parallel_for.h. */
final class parallel_for_forkjoin extends Harness.Problem {
    private static final int GRAIN = 4096;
    private final Harness.Number n = number("n", 5_000_000, 0, 1_000_000_000);
    private final Harness.Number sweeps = number("sweeps", 10, 1, 1_000_000);
    private long[] data = {};

    private static final class Part extends RecursiveAction {
        final long[] data;
        final int begin;
        final int end;
        final boolean counted;

        Part(long[] data, int begin, int end, boolean counted) {
            this.data = data;
            this.begin = begin;
            this.end = end;
            this.counted = counted;
        }

        @Override
        protected void compute() {
            if (counted) Harness.note(0);
            if (end - begin <= GRAIN) {
                for (int i = begin; i < end; ++i) data[i] = Harness.mixed(data[i]);
                return;
            }
            int middle = begin + (end - begin) / 2;
            Part right = new Part(data, middle, end, counted);
            right.fork();
            new Part(data, begin, middle, counted).compute();
            right.join();
        }
    }

    @Override
    String name() {
        return "parallel_for";
    }

    @Override
    String unit() {
        return "element";
    }

    @Override
    void makeSmall() {
        n.value = 100_000;
    }

    @Override
    void prepare() {
        if (data.length != n.value) data = new long[(int) n.value];
        for (int i = 0; i < data.length; ++i) data[i] = i;
    }

    @Override
    void run() {
        for (long sweep = 0; sweep < sweeps.value; ++sweep) pool.invoke(new Part(data, 0, data.length, counted));
    }

    @Override
    long units() {
        return n.value * sweeps.value;
    }

    @Override
    long dataBytes() {
        return n.value * 8;
    }

    @Override
    String verify() {
        for (int i = 0; i < data.length; ++i) {
            long right = i;
            for (long sweep = 0; sweep < sweeps.value; ++sweep) right = Harness.mixed(right);
            if (data[i] != right) return "element " + i + " is " + data[i] + " instead of " + right;
        }
        return null;
    }

    public static void main(String[] words) throws Exception {
        Harness.mainOf(words, new parallel_for_forkjoin(), new parallel_for_forkjoin());
    }
}
