// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import java.util.concurrent.RecursiveAction;

/** How many ways there are to put n queens on a board of n x n: nqueens.h. */
final class nqueens_forkjoin extends Harness.Problem {
    private static final long[] BOARDS = {1, 2, 3, 6, 17, 54, 153, 552, 2057, 8394, 35539, 166926, 856189, 4674890, 27358553};
    private static final long[] SOLUTIONS = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596};
    private final Harness.Number n = number("n", 12, 1, 14);
    private long result;

    private static final class Board extends RecursiveAction {
        final byte[] rows;
        final int row;
        final int n;
        final boolean counted;
        long result;

        Board(byte[] rows, int row, int n, boolean counted) {
            this.rows = rows;
            this.row = row;
            this.n = n;
            this.counted = counted;
        }

        private boolean isFree(int place) {
            for (int above = 0; above < row; ++above) {
                int distance = row - above, other = rows[above];
                if (other == place || other == place - distance || other == place + distance) return false;
            }
            return true;
        }

        @Override
        protected void compute() {
            if (counted) Harness.note(0);
            if (row == n) {
                result = 1;
                return;
            }
            Board[] next = new Board[n];
            int count = 0;
            for (int place = 0; place < n; ++place) {
                if (!isFree(place)) continue;
                byte[] with = rows.clone();
                with[row] = (byte) place;
                next[count] = new Board(with, row + 1, n, counted);
                next[count++].fork();
            }
            while (count > 0) {
                next[--count].join();
                result += next[count].result;
            }
        }
    }

    @Override
    String name() {
        return "nqueens";
    }

    @Override
    String unit() {
        return "board";
    }

    @Override
    void makeSmall() {
        n.value = 8;
    }

    @Override
    void run() {
        Board empty = new Board(new byte[16], 0, (int) n.value, counted);
        pool.invoke(empty);
        result = empty.result;
    }

    @Override
    long units() {
        return BOARDS[(int) n.value];
    }

    @Override
    String verify() {
        long right = SOLUTIONS[(int) n.value];
        return result == right ? null : "n=" + n.value + " gave " + result + " solutions instead of " + right;
    }

    public static void main(String[] words) throws Exception {
        Harness.mainOf(words, new nqueens_forkjoin(), new nqueens_forkjoin());
    }
}
