// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.stream.Collectors;

/**
 * What common/harness.h is to the C++ programs: one line of JSON for results that were verified. Java has code of its own for what tasks
 * compute.
 */
final class Harness {
    /** A number that --size sets. */
    static final class Number {
        long value;
        final long least;
        final long most;

        Number(long value, long least, long most) {
            this.value = value;
            this.least = least;
            this.most = most;
        }
    }

    /** A workload on a ForkJoinPool. */
    abstract static class Problem {
        final Map<String, Number> numbers = new LinkedHashMap<>();
        ForkJoinPool pool;
        boolean counted;

        abstract String name();

        abstract String unit();

        abstract void makeSmall();

        void prepare() {}

        abstract void run();

        abstract long units();

        long dataBytes() {
            return 0;
        }

        /** Returns: null, or a sentence if the result is wrong. */
        abstract String verify();

        /** Returns: the time, of those who take it themselves; else a negative number. */
        double seconds() {
            return -1;
        }

        long repeats() {
            return 1;
        }

        final Number number(String name, long value, long least, long most) {
            Number made = new Number(value, least, most);
            numbers.put(name, made);
            return made;
        }
    }

    /** A word of the command line that cannot be used. */
    static final class WrongWord extends RuntimeException {
        WrongWord(String sentence) {
            super(sentence);
        }
    }

    static final class WrongResult extends RuntimeException {
        WrongResult(String sentence) {
            super(sentence);
        }
    }

    // --- tallies: what each worker has run --------------------------------------------------------------------------------

    private static final int APART = 16;
    private static final int WORKERS_AT_MOST = 1024;
    private static final long[] TASKS = new long[WORKERS_AT_MOST * APART];

    static int ownPlace() {
        Thread own = Thread.currentThread();
        return own instanceof ForkJoinWorkerThread worker ? (worker.getPoolIndex() + 1) % WORKERS_AT_MOST * APART : 0;
    }

    static void note(long checksum) {
        int place = ownPlace();
        ++TASKS[place];
        TASKS[place + 1] += checksum;
    }

    static long sumOf(int which) {
        long sum = 0;
        for (int i = which; i < TASKS.length; i += APART) sum += TASKS[i];
        return sum;
    }

    // --- the command line ---------------------------------------------------------------------------------------------------

    private static long numberOf(String name, String text, long least, long most) {
        try {
            long value = Long.parseLong(text);
            if (least <= value && value <= most) return value;
        } catch (NumberFormatException wrong) {
            // The sentence below says it.
        }
        throw new WrongWord(name + " cannot be '" + text + "'; allowed: " + least + " ... " + most);
    }

    private int threads = 1;
    private String size = "";
    private long runs = 1;
    private boolean counted;
    private boolean idle;
    private boolean forms;

    private Harness(String[] words) {
        for (int i = 0; i < words.length; ++i) {
            String word = words[i];
            switch (word) {
                case "--counted":
                    counted = true;
                    continue;
                case "--idle":
                    idle = true;
                    continue;
                case "--forms":
                    forms = true;
                    continue;
                case "--threads", "--form", "--size", "--runs":
                    if (++i == words.length) throw new WrongWord(word + " needs a value");
                    break;
                default:
                    throw new WrongWord("unknown option '" + word
                        + "'; allowed: --threads N, --form NAME, --size key=value,..., --runs N, --counted, --idle, --forms");
            }
            if (word.equals("--threads")) threads = (int) numberOf(word, words[i], 1, 256);
            if (word.equals("--runs")) runs = numberOf(word, words[i], 1, 1000);
            if (word.equals("--size")) size = words[i];
            if (word.equals("--form") && !words[i].equals("fork"))
                throw new WrongWord("--form cannot be '" + words[i] + "'; allowed: fork");
        }
    }

    private static void setSize(String text, Map<String, Number> numbers) {
        for (String pair : text.isEmpty() ? new String[0] : text.split(",")) {
            String[] parts = pair.split("=", 2);
            Number found = numbers.get(parts[0]);
            if (found == null || parts.length != 2)
                throw new WrongWord("--size knows no '" + pair + "'; allowed: key=value,... with the keys "
                    + String.join(", ", numbers.keySet()));
            found.value = numberOf("--size " + parts[0], parts[1], found.least, found.most);
        }
    }

    // --- what the operating system says -------------------------------------------------------------------------------------

    private static double cpuSeconds() {
        var system = (com.sun.management.OperatingSystemMXBean) java.lang.management.ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime() * 1e-9;
    }

    private static long sumInStatus(Path status, String wanted) throws IOException {
        long sum = 0;
        for (String line : Files.readAllLines(status))
            if (line.contains(wanted)) sum += Long.parseLong(line.replaceAll("[^0-9]", ""));
        return sum;
    }

    private static long contextSwitches() throws IOException {
        long sum = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : threads) sum += sumInStatus(thread.resolve("status"), "ctxt_switches");
        }
        return sum;
    }

    // --- measuring ----------------------------------------------------------------------------------------------------------

    private record Timing(double seconds, double cpuSeconds) {}

    private static Timing runOnce(Problem of, boolean counted) {
        of.counted = counted;
        of.prepare();
        java.util.Arrays.fill(TASKS, 0);
        double cpu = cpuSeconds();
        long start = System.nanoTime();
        of.run();
        double elapsed = (System.nanoTime() - start) * 1e-9;
        cpu = cpuSeconds() - cpu;
        String wrong = of.verify();
        if (wrong != null) throw new WrongResult(of.name() + " by forkjoin: " + wrong);
        return new Timing(of.seconds() < 0 ? elapsed : of.seconds(), cpu);
    }

    /** For a second, until the compiler has seen what is hot. */
    private static void warmUp(Problem small) {
        small.makeSmall();
        long start = System.nanoTime();
        do runOnce(small, false);
        while (System.nanoTime() - start < 1_000_000_000L);
    }

    private String measure(Problem of, Problem small) throws IOException, InterruptedException {
        setSize(size, of.numbers);
        of.pool = small.pool = new ForkJoinPool(threads);
        warmUp(small);
        List<String> timings = new ArrayList<>();
        List<String> tasks = new ArrayList<>();
        if (counted) {
            runOnce(of, true);
            for (int i = 0; i < TASKS.length; i += APART)
                if (TASKS[i] != 0) tasks.add(Long.toString(TASKS[i]));
        }
        for (long i = 0; !counted && i < runs * of.repeats(); ++i) {
            Timing taken = runOnce(of, false);
            timings.add(String.format(java.util.Locale.ROOT, "{\"seconds\": %.9f, \"cpu_seconds\": %.6f}", taken.seconds,
                taken.cpuSeconds));
        }
        String rest = "";
        if (idle) {
            Thread.sleep(1000);
            double cpu = cpuSeconds();
            long switches = contextSwitches(), start = System.nanoTime();
            Thread.sleep(1000);
            double elapsed = (System.nanoTime() - start) * 1e-9;
            rest = String.format(java.util.Locale.ROOT, "\"idle\": {\"cpu_share\": %.6f, \"switches\": %d}, ",
                (cpuSeconds() - cpu) / elapsed, contextSwitches() - switches);
        }
        return line(of, timings, tasks, rest);
    }

    private String line(Problem of, List<String> timings, List<String> tasks, String rest) throws IOException {
        String whole = of.numbers.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue().value)
            .collect(Collectors.joining(","));
        long peak = sumInStatus(Path.of("/proc/self/status"), "VmHWM") * 1024;
        return "{\"workload\": \"" + of.name() + "\", \"runtime\": \"forkjoin\", \"form\": \"fork\", \"threads\": " + threads
            + ", \"size\": \"" + whole + "\", \"unit\": \"" + of.unit() + "\", \"units\": " + of.units()
            + ", \"runs\": [" + String.join(", ", timings)
            + "], \"tasks_by_thread\": [" + String.join(", ", tasks) + "], \"told\": {\"steals\": " + of.pool.getStealCount()
            + "}, " + rest + "\"data_bytes\": " + of.dataBytes() + ", \"peak_bytes\": " + peak
            + ", \"compiler\": \"Java " + Runtime.version() + "\", \"flags\": \"\"}";
    }

    /** Ends the process: with 0; with 1 if a result was wrong; with 2 for a word that cannot be used. */
    static void mainOf(String[] words, Problem of, Problem small) throws IOException, InterruptedException {
        try {
            Harness how = new Harness(words);
            System.out.println(how.forms ? "fork" : how.measure(of, small));
            System.exit(0);
        } catch (WrongWord wrong) {
            System.err.println(wrong.getMessage());
            System.exit(2);
        } catch (WrongResult wrong) {
            System.err.println("wrong result: " + wrong.getMessage());
            System.exit(1);
        }
    }

    /** A number that looks random for every one: the one of common/mixed.h. */
    static long mixed(long x) {
        x += 0x9E3779B97F4A7C15L;
        x = (x ^ (x >>> 30)) * 0xBF58476D1CE4E5B9L;
        x = (x ^ (x >>> 27)) * 0x94D049BB133111EBL;
        return x ^ (x >>> 31);
    }
}
