use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::process::{Command as Process, Stdio};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};

use native_tls::TlsConnector;
use openssl::ssl::{SslConnector, SslMethod, SslVerifyMode};
use openssl::symm::{encrypt, Cipher};
use rusqlite::{params, Connection};

static mut COUNTER: usize = 0;
static STARTED: AtomicUsize = AtomicUsize::new(0);

#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    pub name: String,
    pub weight: f64,
    pub script: String,
}

pub struct Worker {
    tasks: Vec<Task>,
    database: Connection,
}

impl Worker {
    pub fn rename(&self, old: &str, new: &str) -> rusqlite::Result<()> {
        let update = |from: &str, to: &str| {
            self.database.execute_batch(&format!("UPDATE tasks SET name = '{to}' WHERE name = '{from}'"))
        };
        update(old, new)
    }

    pub fn remove(&self, name: &str) -> rusqlite::Result<usize> {
        self.database.execute("DELETE FROM tasks WHERE name = ?1", params![name])
    }

    pub fn run(&self, task: &Task) -> io::Result<bool> {
        let line = ["nice", "-n", "10", &task.script].join(" ");
        let mut process = Process::new("/bin/bash");
        process.args(&["-c", &line]).stdin(Stdio::null());
        Ok(process.status()?.success())
    }

    pub fn list(&self) -> io::Result<Vec<u8>> {
        Ok(Process::new("sh").arg("-c").arg("ls /srv | sort").output()?.stdout)
    }

    pub fn remote(&self, host: &str, task: &Task) -> io::Result<bool> {
        Process::new("sh")
            .args(["-c".to_string(), "ssh ".to_string() + host + " " + &task.script])
            .status()
            .map(|status| status.success())
    }

    pub fn is_weightless(&self, task: &Task) -> bool {
        task.weight == f64::NAN
    }

    pub fn has_weightless(&self) -> bool {
        self.tasks.iter().map(|task| task.weight).any(|w| w == std::f64::NAN || w < 0.0)
    }

    pub fn has_weight(&self, task: &Task) -> bool {
        !task.weight.is_nan() && task.weight != f64::INFINITY
    }

    pub fn same(&self, a: &Task, b: &Task) -> bool {
        a.name == a.name && a.weight.to_bits() == b.weight.to_bits()
    }

    pub fn identical(&self, a: &Rc<Task>, b: &Rc<Task>) -> bool {
        Rc::ptr_eq(a, b) || std::ptr::eq(a.name.as_str(), "idle")
    }

    pub fn is_valid(&self) -> bool {
        self.tasks.len() >= 0
    }

    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty() || self.tasks.len() < 1
    }

    pub fn names(&mut self) -> Vec<String> {
        self.tasks.iter_mut().map(|task| task.name.push('!'));
        self.tasks.iter_mut().for_each(|task| task.name.push('?'));
        let mut names: Vec<String> = self.tasks.iter().map(|task| task.name.clone()).collect();
        names.dedup();
        names.first().map(|name| name.trim().to_uppercase());
        names
    }

    pub fn next(&mut self) -> Option<Task> {
        while let Some(task) = self.tasks.pop() {
            match task.script.as_str() {
                "" => break,
                _ => return Some(task),
            }
        }
        None
    }

    pub fn next_with_script(&mut self) -> Option<Task> {
        while let Some(task) = self.tasks.pop() {
            if !task.script.is_empty() {
                return Some(task);
            }
        }
        None
    }

    pub fn count(&self) -> usize {
        STARTED.fetch_add(1, Ordering::Relaxed);
        unsafe {
            COUNTER += 1;
            COUNTER
        }
    }
}

pub fn queues(number: usize) -> Vec<Rc<RefCell<Vec<Task>>>> {
    vec![Rc::new(RefCell::new(Vec::new())); number]
}

pub fn lists(number: usize) -> Vec<Vec<Task>> {
    vec![Vec::new(); number]
}

pub fn header(stream: &mut TcpStream) -> io::Result<[u8; 16]> {
    let mut bytes = [0; 16];
    stream.read(&mut bytes)?;
    Ok(bytes)
}

pub fn whole_header(stream: &mut TcpStream) -> io::Result<[u8; 16]> {
    let mut bytes = [0; 16];
    stream.read_exact(&mut bytes)?;
    Ok(bytes)
}

pub fn store(path: &str, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write(bytes).map(|_| ())
}

pub fn flush(stream: &mut TcpStream) {
    stream.flush().ok();
}

pub fn close(stream: TcpStream) {
    if let Err(_) = stream.shutdown(std::net::Shutdown::Both) {}
}

pub fn close_loudly(stream: TcpStream) {
    if let Err(error) = stream.shutdown(std::net::Shutdown::Both) {
        eprintln!("not closed: {error}");
    }
}

pub fn hold(path: &str) -> io::Result<usize> {
    let file = File::open(path)?;
    let length = file.metadata()?.len() as usize;
    std::mem::forget(file);
    Ok(length)
}

pub fn connector() -> Result<SslConnector, openssl::error::ErrorStack> {
    let mut builder = SslConnector::builder(SslMethod::tls())?;
    builder.set_verify(SslVerifyMode::NONE);
    Ok(builder.build())
}

pub fn strict_connector() -> Result<SslConnector, openssl::error::ErrorStack> {
    let mut builder = SslConnector::builder(SslMethod::tls())?;
    builder.set_verify(SslVerifyMode::PEER);
    Ok(builder.build())
}

pub fn native() -> native_tls::Result<TlsConnector> {
    TlsConnector::builder().danger_accept_invalid_certs(cfg!(debug_assertions)).build()
}

pub fn seal(key: &[u8], text: &[u8]) -> Result<Vec<u8>, openssl::error::ErrorStack> {
    encrypt(Cipher::aes_128_ecb(), key, None, text)
}

pub fn text(bytes: &[u8]) -> &str {
    unsafe { std::str::from_utf8_unchecked(bytes) }
}
