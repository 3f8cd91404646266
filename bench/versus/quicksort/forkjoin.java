// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import java.util.Arrays;
import java.util.concurrent.RecursiveAction;

/** Quicksort of random integers: quicksort.h. */
final class quicksort_forkjoin extends Harness.Problem {
    private final Harness.Number n = number("n", 10_000_000, 0, 1_000_000_000);
    private final Harness.Number threshold = number("threshold", 1_000, 1, 1_000_000_000);
    private long[] data = {};
    private long checksum;

    private static final class Sort extends RecursiveAction {
        final long[] data;
        final int begin;
        final int end;
        final long threshold;
        final boolean counted;

        Sort(long[] data, int begin, int end, long threshold, boolean counted) {
            this.data = data;
            this.begin = begin;
            this.end = end;
            this.threshold = threshold;
            this.counted = counted;
        }

        private static long median(long a, long b, long c) {
            return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
        }

        @Override
        protected void compute() {
            if (counted) Harness.note(0);
            if (end - begin <= threshold) {
                Arrays.sort(data, begin, end);
                return;
            }
            long pivot = median(data[begin], data[begin + (end - begin) / 2], data[end - 1]);
            int smallerEnd = begin, greaterBegin = end;
            for (int i = begin; i < greaterBegin;) {
                long each = data[i];
                if (each < pivot) {
                    data[i++] = data[smallerEnd];
                    data[smallerEnd++] = each;
                } else if (each > pivot) {
                    data[i] = data[--greaterBegin];
                    data[greaterBegin] = each;
                } else {
                    ++i;
                }
            }
            Sort high = new Sort(data, greaterBegin, end, threshold, counted);
            high.fork();
            new Sort(data, begin, smallerEnd, threshold, counted).compute();
            high.join();
        }
    }

    private long sumOfMixed() {
        long sum = 0;
        for (long each : data) sum += Harness.mixed(each);
        return sum;
    }

    @Override
    String name() {
        return "quicksort";
    }

    @Override
    String unit() {
        return "integer";
    }

    @Override
    void makeSmall() {
        n.value = 100_000;
    }

    @Override
    void prepare() {
        if (data.length != n.value) data = new long[(int) n.value];
        for (int i = 0; i < data.length; ++i) data[i] = Harness.mixed(i);
        checksum = sumOfMixed();
    }

    @Override
    void run() {
        pool.invoke(new Sort(data, 0, data.length, threshold.value, counted));
    }

    @Override
    long units() {
        return n.value;
    }

    @Override
    long dataBytes() {
        return n.value * 8;
    }

    @Override
    String verify() {
        for (int i = 1; i < data.length; ++i)
            if (data[i - 1] > data[i]) return "the integers are not sorted";
        return sumOfMixed() == checksum ? null : "the integers are sorted, but they are others";
    }

    public static void main(String[] words) throws Exception {
        Harness.mainOf(words, new quicksort_forkjoin(), new quicksort_forkjoin());
    }
}
