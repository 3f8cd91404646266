// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import java.util.concurrent.RecursiveAction;

/** The Fibonacci numbers by their definition, without a cut-off: fib.h. */
final class fib_forkjoin extends Harness.Problem {
    private final Harness.Number n = number("n", 37, 0, 45);
    private long result;

    private static final class Call extends RecursiveAction {
        final long n;
        final boolean counted;
        long result;

        Call(long n, boolean counted) {
            this.n = n;
            this.counted = counted;
        }

        @Override
        protected void compute() {
            if (counted) Harness.note(0);
            if (n < 2) {
                result = n;
                return;
            }
            Call twoBefore = new Call(n - 2, counted), oneBefore = new Call(n - 1, counted);
            twoBefore.fork();
            oneBefore.compute();
            twoBefore.join();
            result = oneBefore.result + twoBefore.result;
        }
    }

    private static long byRecurrence(long n) {
        long before = 1, now = 0;
        for (; n > 0; --n) {
            long next = now + before;
            before = now;
            now = next;
        }
        return now;
    }

    @Override
    String name() {
        return "fib";
    }

    @Override
    String unit() {
        return "call";
    }

    @Override
    void makeSmall() {
        n.value = 22;
    }

    @Override
    void run() {
        Call whole = new Call(n.value, counted);
        pool.invoke(whole);
        result = whole.result;
    }

    @Override
    long units() {
        return 2 * byRecurrence(n.value + 1) - 1;
    }

    @Override
    String verify() {
        long right = byRecurrence(n.value);
        return result == right ? null : "fib(" + n.value + ") gave " + result + " instead of " + right;
    }

    public static void main(String[] words) throws Exception {
        Harness.mainOf(words, new fib_forkjoin(), new fib_forkjoin());
    }
}
