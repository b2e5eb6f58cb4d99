// Lists every function of a folder of JavaScript (acorn) or TypeScript (typescript): "path:line" a line.
// Usage: node count.mjs FOLDER; both packages are looked for beside the working folder's node_modules.
import {createRequire} from 'node:module';
import fs from 'node:fs';
import path from 'node:path';
const require = createRequire(path.join(process.cwd(), 'x.js'));
const acorn = require('acorn');
const walk = require('acorn-walk');
const ts = require('typescript');
const root = process.argv[2];
const files = fs.readdirSync(root, {recursive: true}).map(String).filter((f) => /\.(js|mjs|cjs|ts)$/.test(f) && !/\.d\.[cm]?ts$/.test(f));
for (const file of files.sort()) {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  if (file.endsWith('.ts')) {
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const visit = (node) => {
      if (ts.isFunctionLike(node) && node.body) {
        console.log(file + ':' + (source.getLineAndCharacterOfPosition(node.getStart()).line + 1));
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  } else {
    let tree;
    try {
      tree = acorn.parse(text, {ecmaVersion: 'latest', sourceType: 'module', locations: true, allowHashBang: true});
    } catch {
      tree = acorn.parse(text, {ecmaVersion: 'latest', sourceType: 'script', locations: true, allowHashBang: true});
    }
    walk.full(tree, (node) => {
      if (/Function/.test(node.type)) {
        console.log(file + ':' + node.loc.start.line);
      }
    });
  }
}
