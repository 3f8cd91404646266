// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What common/harness.h is to the C++ programs: it reads the command line, warms the runtime up, runs and times a problem, verifies
//! each result, and prints one line of JSON; nothing if a result was wrong.

#[path = "../fib/fib.rs"]
pub mod fib;
#[path = "kernels.rs"]
pub mod kernels;
#[path = "../nqueens/nqueens.rs"]
pub mod nqueens;
#[path = "../parallel_for/parallel_for.rs"]
pub mod parallel_for;
#[path = "../quicksort/quicksort.rs"]
pub mod quicksort;
#[path = "../reduce/reduce.rs"]
pub mod reduce;
#[path = "../runtimes/runtimes.rs"]
pub mod runtimes;
#[path = "../synthetic/synthetic.rs"]
pub mod synthetic;
#[path = "tally.rs"]
pub mod tally;
#[path = "../uts/uts.rs"]
pub mod uts;
#[path = "../wake/wake.rs"]
pub mod wake;

use std::process::ExitCode;
use std::time::Instant;

/// What the command line asks for.
pub struct Wishes {
    pub threads: usize,
    pub form: String,
    pub size: String,
    pub runs: u64,
    pub counted: bool,
    pub idle: bool,
    /// Say which forms there are, and do nothing else.
    pub forms: bool,
}

/// A number that --size sets.
pub struct Number<'a> {
    pub name: &'static str,
    pub value: &'a mut u64,
    pub least: u64,
    pub most: u64,
}

pub trait Problem: Default {
    const NAME: &'static str;
    /// What a time is divided by.
    const UNIT: &'static str;
    fn numbers(&mut self) -> Vec<Number<'_>>;
    fn make_small(&mut self);
    fn prepare(&mut self);
    fn units(&self) -> u64;
    fn data_bytes(&self) -> u64 {
        0
    }
    /// A sentence if the result is wrong.
    fn verify(&self) -> Result<(), String>;
    /// The time, of those who take it themselves.
    fn seconds(&self) -> Option<f64> {
        None
    }
    fn repeats(&self) -> u64 {
        1
    }
}

pub trait Program {
    type Of: Problem;
    const RUNTIME: &'static str;
    /// The first one is run unless --form names another.
    const FORMS: &'static [&'static str];
    fn start(how: &Wishes) -> Self;
    fn run<const COUNTED: bool>(&mut self, of: &mut Self::Of);
}

enum Wrong {
    Word(String),
    Result(String),
}

fn number_of(name: &str, text: &str, least: u64, most: u64) -> Result<u64, Wrong> {
    match text.parse::<u64>() {
        Ok(value) if (least..=most).contains(&value) => Ok(value),
        _ => Err(Wrong::Word(format!("{name} cannot be '{text}'; allowed: {least} ... {most}"))),
    }
}

/// Sets the numbers that "key=value,..." names.
fn set_size(text: &str, mut numbers: Vec<Number<'_>>) -> Result<(), Wrong> {
    let names = numbers.iter().map(|each| each.name).collect::<Vec<_>>().join(", ");
    for pair in text.split(',').filter(|pair| !pair.is_empty()) {
        let parts =
            pair.split_once('=').and_then(|(name, value)| Some((numbers.iter_mut().find(|each| each.name == name)?, value)));
        let Some((found, value)) = parts else {
            return Err(Wrong::Word(format!("--size knows no '{pair}'; allowed: key=value,... with the keys {names}")));
        };
        *found.value = number_of(&format!("--size {}", found.name), value, found.least, found.most)?;
    }
    Ok(())
}

fn parse(forms: &[&str]) -> Result<Wishes, Wrong> {
    let mut how =
        Wishes { threads: 1, form: forms[0].into(), size: String::new(), runs: 1, counted: false, idle: false, forms: false };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--counted" => how.counted = true,
            "--idle" => how.idle = true,
            "--forms" => how.forms = true,
            "--threads" | "--form" | "--size" | "--runs" => {
                let Some(value) = words.next() else { return Err(Wrong::Word(format!("{word} needs a value"))) };
                match word.as_str() {
                    "--threads" => how.threads = number_of(&word, &value, 1, 256)? as usize,
                    "--runs" => how.runs = number_of(&word, &value, 1, 1000)?,
                    "--form" => how.form = value,
                    _ => how.size = value,
                }
            }
            _ => {
                let allowed = "--threads N, --form NAME, --size key=value,..., --runs N, --counted, --idle, --forms";
                return Err(Wrong::Word(format!("unknown option '{word}'; allowed: {allowed}")));
            }
        }
    }
    if !forms.contains(&how.form.as_str()) {
        return Err(Wrong::Word(format!("--form cannot be '{}'; allowed: {}", how.form, forms.join(", "))));
    }
    Ok(how)
}

fn run_once<const COUNTED: bool, By: Program>(by: &mut By, of: &mut By::Of) -> Result<(f64, f64), Wrong> {
    of.prepare();
    tally::clear();
    let cpu = kernels::cpu_seconds();
    let start = Instant::now();
    by.run::<COUNTED>(of);
    let elapsed = start.elapsed().as_secs_f64();
    let cpu = kernels::cpu_seconds() - cpu;
    of.verify().map_err(|wrong| Wrong::Result(format!("{} by {}: {wrong}", By::Of::NAME, By::RUNTIME)))?;
    Ok((of.seconds().unwrap_or(elapsed), cpu))
}

/// What the process costs in the second that begins one second after the last task: part of a processor, context switches.
fn measure_idle() -> (f64, u64) {
    kernels::rest(1_000_000_000);
    let (cpu, switches, start) = (kernels::cpu_seconds(), kernels::context_switches(), Instant::now());
    kernels::rest(1_000_000_000);
    let elapsed = start.elapsed().as_secs_f64();
    ((kernels::cpu_seconds() - cpu) / elapsed, kernels::context_switches() - switches)
}

fn measure<By: Program>() -> Result<String, Wrong> {
    let how = parse(By::FORMS)?;
    if how.forms {
        return Ok(By::FORMS.join("\n"));
    }
    let mut of = By::Of::default();
    set_size(&how.size, of.numbers())?;
    let mut by = By::start(&how);
    let mut small = By::Of::default();
    small.make_small();
    run_once::<false, By>(&mut by, &mut small)?;
    let mut runs = Vec::new();
    let mut tasks = Vec::new();
    if how.counted {
        run_once::<true, By>(&mut by, &mut of)?;
        tasks = tally::tasks_by_thread();
    } else {
        for _ in 0..how.runs * of.repeats() {
            runs.push(run_once::<false, By>(&mut by, &mut of)?);
        }
    }
    let idle = how.idle.then(measure_idle);
    Ok(line::<By>(&how, &mut of, &runs, &tasks, idle))
}

/// The line of JSON.
fn line<By: Program>(how: &Wishes, of: &mut By::Of, runs: &[(f64, f64)], tasks: &[u64], idle: Option<(f64, u64)>) -> String {
    let size = of.numbers().iter().map(|each| format!("{}={}", each.name, each.value)).collect::<Vec<_>>().join(",");
    let runs =
        runs.iter().map(|(seconds, cpu)| format!("{{\"seconds\": {seconds:.9}, \"cpu_seconds\": {cpu:.6}}}")).collect::<Vec<_>>();
    let tasks = tasks.iter().map(u64::to_string).collect::<Vec<_>>();
    let idle = idle.map_or(String::new(), |(share, switches)| {
        format!("\"idle\": {{\"cpu_share\": {share:.6}, \"switches\": {switches}}}, ")
    });
    format!(
        "{{\"workload\": \"{}\", \"runtime\": \"{}\", \"form\": \"{}\", \"threads\": {}, \"size\": \"{size}\", \
         \"unit\": \"{}\", \"units\": {}, \"runs\": [{}], \"tasks_by_thread\": [{}], \"told\": {{}}, {idle}\
         \"data_bytes\": {}, \"peak_bytes\": {}, \"compiler\": \"{}\", \
         \"flags\": \"opt-level=3 target-cpu=native\"}}",
        By::Of::NAME, By::RUNTIME, how.form, how.threads, By::Of::UNIT, of.units(), runs.join(", "), tasks.join(", "),
        of.data_bytes(), kernels::peak_bytes(), env!("VERSUS_COMPILER")
    )
}

/// The exit code: 0; 1 if a result was wrong; 2 for a word that cannot be used.
pub fn main_of<By: Program>() -> ExitCode {
    match measure::<By>() {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(Wrong::Word(sentence)) => {
            eprintln!("{sentence}");
            ExitCode::from(2)
        }
        Err(Wrong::Result(sentence)) => {
            eprintln!("wrong result: {sentence}");
            ExitCode::from(1)
        }
    }
}
