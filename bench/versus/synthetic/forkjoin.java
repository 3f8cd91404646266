// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import java.util.concurrent.RecursiveAction;

/** The synthetic algorithm P(k) with f = 0: synthetic.h. Java has no empty loop that its compiler keeps: other f are refused. */
final class synthetic_forkjoin extends Harness.Problem {
    private final Harness.Number k = number("k", 30, 1, 45);
    private final Harness.Number f = number("f", 0, 0, 0);
    private long expectedChecksum;

    private static long markOf(long i) {
        return (i + 2) * (i + 2) * 0x9E3779B97F4A7C15L + 1;
    }

    private static final class TaskA extends RecursiveAction {
        final int i;

        TaskA(int i) {
            this.i = i;
        }

        @Override
        protected void compute() {
            Harness.note(markOf(i));
            if (i <= 0) return;
            TaskA twoBefore = new TaskA(i - 2);
            twoBefore.fork();
            new TaskA(i - 1).compute();
            twoBefore.join();
        }
    }

    private static final class All extends RecursiveAction {
        final int k;

        All(int k) {
            this.k = k;
        }

        @Override
        protected void compute() {
            TaskA[] all = new TaskA[k];
            for (int i = k - 1; i >= 0; --i) (all[i] = new TaskA(i)).fork();
            for (TaskA each : all) each.join();
        }
    }

    @Override
    String name() {
        return "synthetic";
    }

    @Override
    String unit() {
        return "task";
    }

    @Override
    void makeSmall() {
        k.value = 18;
    }

    @Override
    void run() {
        pool.invoke(new All((int) k.value));
    }

    /** By the recurrence of A(i); sets the checksum, too. */
    @Override
    long units() {
        long two = 1, one = 1, sum = 1, twoMark = markOf(-1), oneMark = markOf(0), sumMark = oneMark;
        for (long i = 1; i < k.value; ++i) {
            long own = 1 + one + two, ownMark = markOf(i) + oneMark + twoMark;
            sum += own;
            sumMark += ownMark;
            two = one;
            one = own;
            twoMark = oneMark;
            oneMark = ownMark;
        }
        expectedChecksum = sumMark;
        return sum;
    }

    @Override
    String verify() {
        long right = units(), ran = Harness.sumOf(0);
        if (ran != right) return ran + " tasks ran instead of " + right;
        return Harness.sumOf(1) == expectedChecksum ? null : "the right number of tasks ran, but not the right tasks";
    }

    public static void main(String[] words) throws Exception {
        Harness.mainOf(words, new synthetic_forkjoin(), new synthetic_forkjoin());
    }
}
