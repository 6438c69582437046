import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../project.ts';
import { Watchdog } from './watchdog.ts';

const run = promisify(execFile);

/**
 * A folder in which the packed package is installed, as `npm install` would, with everything that this project has
 * installed beside it. `snippets.test.ts` installs it by npm; `.ci/run` types `npm ci` on a fresh clone.
 */
export class Workspace {
  readonly folder: string;
  /** Commands that stand in for those of a reader's machine. First on the PATH. */
  readonly shims: string;
  /** Of all that readers start here. */
  readonly watchdog = new Watchdog();

  private constructor(folder: string) {
    this.folder = folder;
    this.shims = join(folder, 'shims');
  }

  /** @throws Error where nothing is built. */
  static async create(): Promise<Workspace> {
    if (!existsSync(join(ROOT, 'dist/cli/main.js'))) {
      throw new Error('dist is missing; type: npm run build');
    }
    const workspace = new Workspace(realpathSync(mkdtempSync(join(tmpdir(), 'agent-auth-pages-'))));
    await workspace.#unpack();
    workspace.#linkPackages();
    workspace.#writeShims();
    return workspace;
  }

  /**
   * A fresh folder for a page, with the examples that the package ships, where a clone has them.
   * @param there what an example becomes where the page runs.
   */
  folderFor(page: string, there: (text: string) => string): string {
    const folder = join(this.folder, 'pages', page.replaceAll(/[^\w]+/g, '-'));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "name": "reader", "type": "module" }\n');
    const examples = join(this.folder, 'node_modules/agent-auth/docs/examples');
    for (const name of readdirSync(examples, { recursive: true, encoding: 'utf8' })) {
      if (!statSync(join(examples, name)).isFile()) continue;
      const path = join(folder, 'docs/examples', name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, there(readFileSync(join(examples, name), 'utf8')));
    }
    return folder;
  }

  remove(): void {
    this.watchdog.end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #unpack(): Promise<void> {
    const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', this.folder];
    const { stdout } = await run('npm', pack, { cwd: ROOT });
    const [packed] = JSON.parse(stdout) as readonly { readonly filename: string }[];
    const target = join(this.folder, 'node_modules/agent-auth');
    mkdirSync(target, { recursive: true });
    const from = join(this.folder, packed?.filename ?? '');
    await run('tar', ['-xzf', from, '--strip-components=1', '-C', target]);
    const { bin }: { bin: Record<string, string> } = JSON.parse(
      readFileSync(join(target, 'package.json'), 'utf8'),
    );
    chmodSync(join(target, bin['agent-auth'] ?? ''), 0o755);
  }

  #linkPackages(): void {
    const installed = join(ROOT, 'node_modules');
    for (const name of readdirSync(installed)) {
      if (name.startsWith('.') && name !== '.bin') continue;
      symlinkSync(join(installed, name), join(this.folder, 'node_modules', name));
    }
  }

  #writeShims(): void {
    mkdirSync(this.shims);
    const program = join(this.folder, 'node_modules/agent-auth/bin/agent-auth.js');
    for (const [name, text] of Object.entries(shims(program, join(this.folder, 'node_modules')))) {
      writeFileSync(join(this.shims, name), `#!/usr/bin/env bash\n${text}`, { mode: 0o755 });
    }
  }
}

/**
 * `agent-auth` takes the default ports of its page, and polls each second. `npx` runs what is installed, `npm install`
 * only looks whether it is. `xdg-open` has no browser to open.
 */
function shims(program: string, installed: string): Readonly<Record<string, string>> {
  return {
    'agent-auth': `
more=()
has() { case " $line " in *" $1"[\\ =]*) true ;; *) false ;; esac; }
line="$*"
case "$1 $2" in
  'mock up' | 'mock service') has --port || more+=(--port "$READER_SERVICE_PORT") ;;
  'mock provider') has --port || more+=(--port "$READER_PROVIDER_PORT") ;;
  'proxy --'*) has --port || more+=(--port "$READER_PROXY_PORT") ;;
esac
case "$1 $2 $line" in
  'mock up '*interval=* | 'mock service '*interval=* | *--help* | *--from*) ;;
  'mock up '* | 'mock service '*) more+=(--lifetime interval=1s) ;;
esac
exec "$READER_NODE" ${quoted(program)} "$@" "\${more[@]}"
`,
    npx: `
while [[ "$1" == -y || "$1" == --yes || "$1" == --no-install ]]; do shift; done
export npm_command=exec
name=$1; shift
[ "$name" = agent-auth ] && exec agent-auth "$@"
exec ${quoted(join(installed, '.bin'))}/"$name" "$@"
`,
    npm: `
case "$1" in
  ci) exit 0 ;;
  start) npm_command=start exec agent-auth demo ;;
  i | install)
    shift
    for name; do
      case "$name" in -*) continue ;; esac
      [ -e ${quoted(installed)}/"\${name%@[0-9^~]*}" ] || { echo "npm: $name is not installed here" >&2; exit 1; }
    done ;;
  *) echo "npm $*: a page does not run this" >&2; exit 1 ;;
esac
`,
    'xdg-open': 'exit 0\n',
  };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
