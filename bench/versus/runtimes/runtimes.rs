// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! How the runtimes in Rust are started.

/// With so many threads, the caller not counted: it waits.
pub fn rayon_pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("the system gives that many threads")
}

/// With so many threads, the caller being one of them; and one that beats.
pub fn chili_pool(threads: usize) -> chili::ThreadPool {
    chili::ThreadPool::with_config(chili::Config { thread_count: std::num::NonZero::new(threads), ..Default::default() })
}
