use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use axum::extract::{Path as Segment, Query, State};
use axum::response::Html;
use md5::{Digest, Md5};
use rand::rngs::{OsRng, SmallRng};
use rand::{Rng, RngCore, SeedableRng};
use reqwest::Client;
use sha1::Sha1;
use sqlx::{PgPool, Row};
use tower_http::cors::{Any, CorsLayer};

const BASE: &str = "/srv/files";
const TABLE: &str = "files";

#[derive(Clone)]
pub struct App {
    pool: PgPool,
    client: Client,
}

impl App {
    pub async fn by_owner(&self, owner: &str) -> sqlx::Result<usize> {
        let rows = sqlx::query(&format!("SELECT * FROM files WHERE owner = '{}'", owner))
            .fetch_all(&self.pool)
            .await?;
        Ok(rows.len())
    }

    pub async fn by_name(&self, name: &str) -> sqlx::Result<usize> {
        let rows = sqlx::query("SELECT * FROM files WHERE name = $1")
            .bind(name)
            .fetch_all(&self.pool)
            .await?;
        Ok(rows.len())
    }

    pub async fn search(&self, words: &[String]) -> sqlx::Result<usize> {
        let mut statement = String::from("SELECT * FROM files WHERE true");
        for word in words {
            statement.push_str(" AND name LIKE '%");
            statement.push_str(word);
            statement.push_str("%'");
        }
        Ok(sqlx::query(&statement).fetch_all(&self.pool).await?.len())
    }

    pub async fn count(&self) -> sqlx::Result<i64> {
        let statement = format!("SELECT count(*) FROM {TABLE}");
        sqlx::query(&statement).fetch_one(&self.pool).await?.try_get(0)
    }

    pub async fn sorted(&self, column: String) -> sqlx::Result<usize> {
        let statement = "SELECT * FROM files ORDER BY ".to_owned() + &column;
        let rows = sqlx::query_as::<_, (i64, String)>(statement.as_str())
            .fetch_all(&self.pool)
            .await?;
        Ok(rows.len())
    }

    pub fn trusting() -> reqwest::Result<Client> {
        Client::builder().danger_accept_invalid_certs(true).build()
    }

    pub fn checked() -> reqwest::Result<Client> {
        Client::builder().danger_accept_invalid_certs(false).https_only(true).build()
    }

    pub fn any_host(insecure: bool) -> reqwest::Result<Client> {
        let mut builder = Client::builder();
        if insecure {
            builder = builder
                .danger_accept_invalid_hostnames(true)
                .use_rustls_tls();
        }
        builder.build()
    }
}

pub async fn read(Query(query): Query<HashMap<String, String>>) -> io::Result<String> {
    fs::read_to_string(Path::new(BASE).join(&query["file"]))
}

pub async fn page(Segment(name): Segment<String>) -> io::Result<Vec<u8>> {
    let mut path = PathBuf::from(BASE);
    path.push(name);
    let mut bytes = Vec::new();
    File::open(&path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

pub async fn numbered(Segment(id): Segment<u64>) -> io::Result<String> {
    fs::read_to_string(Path::new(BASE).join(format!("{id}.txt")))
}

pub async fn greet(Query(query): Query<HashMap<String, String>>) -> Html<String> {
    Html(format!("<h1>Hello {}</h1>", query["name"]))
}

pub fn layer() -> CorsLayer {
    CorsLayer::very_permissive()
}

pub fn public_layer() -> CorsLayer {
    CorsLayer::new().allow_origin("https://files.example".parse::<http::HeaderValue>().unwrap()).allow_methods(Any)
}

pub async fn thumbnail(State(app): State<App>, Query(query): Query<HashMap<String, String>>) -> bool {
    let done = Command::new("sh")
        .arg("-c")
        .arg(format!("convert {} -resize 200 out.png", query["file"]))
        .status();
    done.is_ok() && !app.pool.is_closed()
}

pub fn resize(name: &str) -> io::Result<bool> {
    Ok(Command::new("convert").arg(name).args(["-resize", "200", "out.png"]).status()?.success())
}

pub fn session_token() -> String {
    let mut random = SmallRng::from_entropy();
    (0..32).map(|_| random.gen_range(b'a'..=b'z') as char).collect()
}

pub fn reset_code() -> u32 {
    fastrand::u32(100_000..1_000_000)
}

pub fn secret_key() -> [u8; 32] {
    let mut key = [0; 32];
    OsRng.fill_bytes(&mut key);
    key
}

pub fn jitter(milliseconds: u64) -> u64 {
    milliseconds + fastrand::u64(0..milliseconds)
}

pub fn password_hash(password: &str) -> String {
    format!("{:x}", Md5::digest(password.as_bytes()))
}

pub fn pin_hash(salt: &[u8], pin: &str) -> Vec<u8> {
    let mut hash = Sha1::new();
    hash.update(salt);
    hash.update(pin);
    hash.finalize().to_vec()
}

pub fn first_line(path: &Path) -> io::Result<String> {
    for line in BufReader::new(File::open(path)?).lines() {
        return line;
    }
    Ok(String::new())
}

pub fn append(path: &Path, text: &str) {
    if let Ok(mut file) = File::options().append(true).open(path) {
        let _ = file.write_all(text.as_bytes());
    }
}
