// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Links what the tasks compute: compiled once, for the C++ programs, too.

fn main() {
    println!("cargo:rerun-if-env-changed=VERSUS_KERNELS");
    let folder = std::env::var("VERSUS_KERNELS").expect("VERSUS_KERNELS names the folder of libversus_kernels.a");
    println!("cargo:rerun-if-changed={folder}/libversus_kernels.a");
    println!("cargo:rustc-link-search=native={folder}");
    println!("cargo:rustc-link-lib=static=versus_kernels");
    println!("cargo:rustc-link-lib=m");
    let compiler = std::process::Command::new(std::env::var("RUSTC").unwrap_or("rustc".into())).arg("--version").output();
    let version = compiler.map(|said| String::from_utf8_lossy(&said.stdout).trim().to_string());
    println!("cargo:rustc-env=VERSUS_COMPILER={}", version.unwrap_or("rustc".into()));
}
