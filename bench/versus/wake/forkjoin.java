// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.atomic.AtomicLong;

/** Wake-up latency: wake.h. */
final class wake_forkjoin extends Harness.Problem {
    private static final long GIVEN_UP_NS = 50_000_000;
    private final Harness.Number trials = number("trials", 200, 1, 100_000);
    private long offered;
    private Thread offeredBy;
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong timesBegun = new AtomicLong();

    private final class Trial extends RecursiveAction {
        @Override
        protected void compute() {
            ForkJoinTask<?> other = ForkJoinTask.adapt(() -> {
                begun.set(Thread.currentThread() == offeredBy ? GIVEN_UP_NS : System.nanoTime() - offered);
                timesBegun.incrementAndGet();
            });
            offeredBy = Thread.currentThread();
            offered = System.nanoTime();
            other.fork();
            while (begun.get() == 0 && System.nanoTime() - offered < GIVEN_UP_NS) Thread.onSpinWait();
            other.join();
        }
    }

    @Override
    String name() {
        return "wake";
    }

    @Override
    String unit() {
        return "wake-up";
    }

    @Override
    void makeSmall() {}

    /** Long enough that whoever is idle has gone to sleep. */
    @Override
    void prepare() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException nobody) {
            throw new IllegalStateException(nobody);
        }
        begun.set(0);
        timesBegun.set(0);
    }

    @Override
    void run() {
        pool.invoke(new Trial());
    }

    @Override
    long units() {
        return 1;
    }

    @Override
    String verify() {
        return timesBegun.get() == 1 ? null : "the task ran " + timesBegun.get() + " times instead of once";
    }

    @Override
    double seconds() {
        return Math.min(begun.get(), GIVEN_UP_NS) * 1e-9;
    }

    @Override
    long repeats() {
        return trials.value;
    }

    public static void main(String[] words) throws Exception {
        Harness.mainOf(words, new wake_forkjoin(), new wake_forkjoin());
    }
}
