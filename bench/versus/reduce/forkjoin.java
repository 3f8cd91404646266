// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import java.util.Arrays;
import java.util.concurrent.RecursiveAction;

/** The sum of an array of 40 MB, several times: reduce.h. */
final class reduce_forkjoin extends Harness.Problem {
    private static final int GRAIN = 4096;
    private final Harness.Number n = number("n", 5_000_000, 0, 100_000_000);
    private final Harness.Number sweeps = number("sweeps", 20, 1, 1_000_000);
    private double[] data = {};
    private double[] sums = {};

    private static double sumSerially(double[] data, int begin, int end) {
        double sum = 0;
        for (int i = begin; i < end; ++i) sum += data[i];
        return sum;
    }

    private static final class Part extends RecursiveAction {
        final double[] data;
        final int begin;
        final int end;
        final boolean counted;
        double sum;

        Part(double[] data, int begin, int end, boolean counted) {
            this.data = data;
            this.begin = begin;
            this.end = end;
            this.counted = counted;
        }

        @Override
        protected void compute() {
            if (counted) Harness.note(0);
            if (end - begin <= GRAIN) {
                sum = sumSerially(data, begin, end);
                return;
            }
            int middle = begin + (end - begin) / 2;
            Part left = new Part(data, begin, middle, counted), right = new Part(data, middle, end, counted);
            right.fork();
            left.compute();
            right.join();
            sum = left.sum + right.sum;
        }
    }

    @Override
    String name() {
        return "reduce";
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
        sums = new double[(int) sweeps.value];
        Arrays.fill(sums, -1);
        if (data.length == n.value) return;
        data = new double[(int) n.value];
        for (int i = 0; i < data.length; ++i) data[i] = i % 1009;
    }

    @Override
    void run() {
        for (int sweep = 0; sweep < sums.length; ++sweep) {
            Part whole = new Part(data, 0, data.length, counted);
            pool.invoke(whole);
            sums[sweep] = whole.sum;
        }
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
        double right = sumSerially(data, 0, data.length);
        for (double sum : sums)
            if (sum != right) return "a sum is " + sum + " instead of " + right;
        return null;
    }

    public static void main(String[] words) throws Exception {
        Harness.mainOf(words, new reduce_forkjoin(), new reduce_forkjoin());
    }
}
