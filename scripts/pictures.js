// `npm run pictures`, after `npm run build`: takes the pictures of docs/pictures anew, by the `chromium` and the `cwebp`
// (Debian: apt-get install webp) on the PATH.
// They tell one story by the built program: each goes on where the one before it ended.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';

const ROOT = join(import.meta.dirname, '..');
const OUT = process.argv[2] ?? join(ROOT, 'docs/pictures');
mkdirSync(OUT, { recursive: true });
const fileOf = (/** @type {string} */ name) => join(OUT, `${name}.webp`);
const ALICE = 'alice@example.com';
/** Milliseconds until what a command should print counts as missing. */
const PATIENCE = 60_000;
const ESCAPE = String.fromCharCode(27);
const CODE = new RegExp(`${ESCAPE}\\[(\\d*)m`, 'g');
/** What each SGR code begins, as CSS; any other ends it. */
const STYLES = new Map([
  ['1', 'font-weight: 700; color: #fff'],
  ['2', 'color: #8b94a3'],
  ['31', 'color: #ff7b72'],
  ['32', 'color: #56d364'],
  ['33', 'color: #e3b341'],
  ['36', 'color: #56d4dd'],
]);
const TERMINAL = `box-sizing: border-box; min-width: 1000px; max-width: 1180px; width: max-content; margin: 0;
  padding: 22px 26px; border-radius: 10px; background: #14171c; color: #dfe3ea; white-space: pre-wrap;
  overflow-wrap: anywhere; font: 13px/1.5 'DejaVu Sans Mono', monospace`;

const home = mkdtempSync(join(tmpdir(), 'agent-auth-pictures-'));
const own = { AGENT_AUTH_HOME: home, XDG_RUNTIME_DIR: home, FORCE_COLOR: '1' };
const env = { PATH: process.env['PATH'], ...own };
/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
const places = (process.env['PATH'] ?? '').split(delimiter).map((place) => join(place, 'chromium'));
const browser = await chromium.launch({
  executablePath: places.find((file) => existsSync(file)) ?? 'chromium',
  args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars'],
});
const context = await browser.newContext({ colorScheme: 'light', deviceScaleFactor: 1 });
const page = await context.newPage();
try {
  await tellStory();
} finally {
  await browser.close();
  for (const child of running) {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
  }
  rmSync(home, { recursive: true });
}

async function tellStory() {
  const mocks = start('agent-auth mock up');
  const service = await mocks.says(/service.*?(http:\/\/[\d.:]+)/);
  await showTerminal('connect', await run('agent-auth connect --call /api/resource'));

  const claiming = start(`agent-auth connect --scope api.write --email ${ALICE}`);
  await claiming.says(/Waiting for/);
  const before = claiming.output;
  await showTerminal('code', claiming);

  const link = await claiming.says(/(http\S+\/c\/\S+)/);
  const code = (await claiming.says(/Code {2}([\d ]+)/)).replaceAll(' ', '');
  await page.setViewportSize({ width: 1000, height: 300 });
  await page.goto(link);
  await page.getByLabel('Email address').fill(ALICE);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Code that your agent shows you').fill(code);
  await keep('claim', page.screenshot({ fullPage: true }));

  // Its second poll: the service has answered that the claim is pending.
  await mocks.says(/authorization_pending|400[^\n]*oauth2\/token/);
  const live = await context.newPage();
  await live.setViewportSize({ width: 1120, height: 660 });
  const opened = await run('agent-auth mock open --print');
  await live.goto(await opened.says(/(http\S+ticket=[\w-]+)/));
  await live.getByText('pending').first().waitFor();
  await keep('live', live.screenshot());
  await live.emulateMedia({ colorScheme: 'dark' });
  await keep('live-dark', live.screenshot());
  await live.close();

  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('heading', { name: 'The agent has access' }).waitFor();
  await keep('approved', page.screenshot({ fullPage: true }));
  await claiming.ended;
  const { line, output } = claiming;
  const rest = { line, output: `…\n${output.slice(before.length).trimStart()}` };
  await showTerminal('connected', rest, await run('agent-auth call /api/resource -X POST'));

  await page.setViewportSize({ width: 1000, height: 300 });
  await page.goto(`${service}/connections`);
  await page.getByText('End access…').click();
  await keep('connections', page.screenshot({ fullPage: true }));
  await page.getByRole('button', { name: 'End access' }).click();
  await page.waitForURL(/ended=/);
  await showTerminal('ended', await run('agent-auth call /api/resource'));

  const proxy = start(`agent-auth proxy --to ${service} --transcript run.json`);
  const local = await proxy.says(/service.*?(http:\/\/[\d.:]+)/);
  await run(`agent-auth connect ${local} --call /api/resource --leave`);
  await pollWithoutWaiting(local);
  await proxy.interrupt();
  await showTerminal('proxy', proxy);

  const replay = start('agent-auth mock service --from run.json');
  const again = await replay.says(/service.*?(http:\/\/[\d.:]+)/);
  const connect = await run(`agent-auth connect ${again} --call /api/resource --leave`);
  await showTerminal('replay', replay, connect);
  await replay.interrupt();

  const fault = await run('agent-auth mock fault noTryLimit');
  await showTerminal('conformance', fault, await run(`agent-auth conformance service ${service}`));
}

/** The built program, with colours; one home for all commands. @param {string} line as it is typed, without quotes */
function start(line) {
  const args = [join(ROOT, 'bin/agent-auth.js'), ...line.split(' ').slice(1)];
  const child = spawn(process.execPath, args, {
    cwd: home,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const command = {
    line,
    output: '',
    ended: new Promise((resolve) => child.once('close', resolve)),
    /** @param {RegExp} pattern @returns {Promise<string>} its first group, or all of it, without colours */
    says: async (pattern) => {
      for (let left = PATIENCE; left > 0; left -= 50) {
        const match = pattern.exec(command.output.replaceAll(CODE, ''));
        if (match !== null) return match[1] ?? match[0];
        await sleep(50);
      }
      throw new Error(`${line} did not print ${pattern}, but:\n${command.output}`);
    },
    /** Ends it as Ctrl-C does. */
    interrupt: () => {
      child.kill('SIGINT');
      return command.ended;
    },
  };
  child.once('exit', () => running.delete(child));
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      // At a terminal `call` ends the body that it shows with a new line.
      const isBody = stream === child.stderr && /[}\]]$/.test(command.output);
      command.output += isBody ? `\n${text}` : text;
    });
  }
  return command;
}

/** @param {string} line */
async function run(line) {
  const command = start(line);
  await command.ended;
  return command;
}

/** @param {string} name @param {{ line: string, output: string }[]} commands */
async function showTerminal(name, ...commands) {
  const shown = await context.newPage();
  await shown.setViewportSize({ width: 1200, height: 300 });
  const parts = commands.map(
    ({ line, output }) =>
      `${ESCAPE}[2m$ ${ESCAPE}[22m${ESCAPE}[1m${line}${ESCAPE}[22m\n${output.trimEnd()}`,
  );
  const text = parts.join('\n\n').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const html = text.replaceAll(CODE, (_all, code) =>
    STYLES.has(code) ? `<span style="${STYLES.get(code)}">` : '</span>',
  );
  await shown.setContent(`<body style="margin: 0"><pre style="${TERMINAL}">${html}</pre>`);
  await keep(name, shown.locator('pre').screenshot({ omitBackground: true }));
  await shown.close();
}

/** As WebP without loss, a third of the PNG that a browser takes. @param {string} name @param {Promise<Buffer>} taken */
async function keep(name, taken) {
  const args = ['-quiet', '-lossless', '-z', '9', '-o', fileOf(name), '--', '-'];
  execFileSync('cwebp', args, { input: await taken });
}

/** A broken agent: it polls again at once, `slow_down` or not. @param {string} service */
async function pollWithoutWaiting(service) {
  const metadata = await fetch(`${service}/.well-known/oauth-authorization-server`);
  const { grant_types_supported: grants } = /** @type {Record<string, string[]>} */ (
    await metadata.json()
  );
  const registered = await fetch(`${service}/agent/identity`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'service_auth', login_hint: ALICE }),
  });
  const { claim_token = '' } = /** @type {Record<string, string>} */ (await registered.json());
  const grant_type = grants?.find((grant) => grant.endsWith(':claim')) ?? '';
  for (let poll = 0; poll < 3; poll += 1) {
    const body = new URLSearchParams({ grant_type, claim_token });
    await fetch(`${service}/oauth2/token`, { method: 'POST', body });
  }
}
