'use strict';

const crypto = require('crypto');
const express = require('express');
const fs = require('fs');
const https = require('https');
const path = require('path');
const vm = require('vm');
const { exec, execFile, spawn: start } = require('child_process');
const cors = require('cors');
const mysql = require('mysql2/promise');
const serialize = require('node-serialize');

const app = express();
const pool = mysql.createPool({ host: 'db', user: 'shop', database: 'shop' });
const UPLOADS = path.resolve('/srv/uploads');

app.use(express.json());
app.use(cors({ origin: true, credentials: true }));
app.use('/partners', cors({ origin: ['https://partner.example'] }));

app.get('/orders', async (req, res) => {
  const [rows] = await pool.query('SELECT * FROM orders WHERE customer = ?', [req.query.customer]);
  res.json(rows);
});

app.get('/orders/:id', async (req, res) => {
  const [rows] = await pool.query("SELECT * FROM orders WHERE id = '" + req.params.id + "'");
  res.json(rows[0]);
});

app.get('/search', async (req, res) => {
  const conditions = [`name LIKE '%${req.query.q}%'`];
  if (req.query.max) {
    conditions.push(`price <= ${req.query.max}`);
  }
  const sql = ['SELECT * FROM products WHERE', conditions.join(' AND ')].join(' ');
  const [rows] = await pool.execute(sql);
  res.json(rows);
});

app.get('/products', async (req, res) => {
  let sql = 'SELECT * FROM products WHERE category = ?';
  const values = [req.query.category];
  if (req.query.max) {
    sql += ' AND price <= ?';
    values.push(req.query.max);
  }
  const [rows] = await pool.execute(sql, values);
  res.json(rows);
});

app.post('/thumbnail', (req, res) => {
  exec(`convert ${req.body.file} -resize 200x200 /srv/thumbs/out.png`, (error) => {
    res.status(error ? 500 : 204).end();
  });
});

app.post('/thumbnail/safe', (req, res) => {
  execFile('convert', [path.join(UPLOADS, 'in.png'), '-resize', '200x200', 'out.png'], (error) => {
    res.status(error ? 500 : 204).end();
  });
});

app.post('/backup', (req, res) => {
  const job = start('tar czf ' + req.body.name + '.tgz /srv/uploads', {
    shell: true,
    stdio: 'ignore',
  });
  job.on('exit', (code) => res.json({ code }));
});

app.get('/files', (req, res) => {
  res.sendFile(path.join(UPLOADS, req.query.name));
});

app.get('/files/:name', (req, res) => {
  res.sendFile(req.params.name, { root: UPLOADS });
});

app.get('/raw', ({ query: { name } }, res) => {
  const target = `${UPLOADS}/${name}`;
  fs.createReadStream(target).pipe(res);
});

app.get('/raw/:name', (req, res) => {
  const target = path.resolve(UPLOADS, req.params.name);
  if (!target.startsWith(UPLOADS + path.sep)) {
    return res.sendStatus(403);
  }
  return fs.createReadStream(target).pipe(res);
});

app.post('/formula', (req, res) => {
  res.json({ value: eval(req.body.formula) });
});

app.post('/rule', (req, res) => {
  const rule = new Function('order', `return ${req.body.rule};`);
  res.json({ matches: rule(req.body.order) });
});

app.post('/script', (req, res) => {
  const result = (0, globalThis.eval)(req.body.script);
  res.json({ result });
});

app.post('/sandbox', (req, res) => {
  const box = vm.createContext({ order: req.body.order });
  res.json({ value: vm.runInContext(req.body.code, box, { timeout: 100 }) });
});

app.post('/session', (req, res) => {
  const state = serialize.unserialize(Buffer.from(req.body.state, 'base64').toString());
  res.json(state);
});

app.post('/session/json', (req, res) => {
  res.json(JSON.parse(Buffer.from(req.body.state, 'base64').toString()));
});

function sessionToken() {
  return Math.random().toString(36).slice(2);
}

const makeKey = (length) =>
  Array.from({ length }, () => 'abcdef0123456789'[Math.floor(Math.random() * 16)]).join('');

function pauseBefore(attempt) {
  return 2 ** attempt * 100 * Math.random();
}

function hashPassword(password, salt) {
  return crypto.createHash('md5').update(salt + password).digest('hex');
}

function etag(body) {
  return crypto.createHash('sha1').update(body).digest('base64');
}

function seal(text, key) {
  const cipher = crypto.createCipheriv('des-ede3-ecb', key, null);
  return cipher.update(text, 'utf8', 'hex') + cipher.final('hex');
}

const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false });
const strict = new https.Agent({ keepAlive: true, rejectUnauthorized: true });

app.post('/login', async (req, res) => {
  const key = `${req.body.user}`;
  res.json({ token: sessionToken(), key: makeKey(40), hash: hashPassword(req.body.password, key) });
});

module.exports = { app, agent, strict, etag, seal, pauseBefore };
