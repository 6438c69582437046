import { Program } from './program.js';
import { terminalPage } from './terminal-page.js';

const ALICE = 'alice@example.com';

/**
 * @typedef {object} DocsPicture
 * @property {string} name of its file in docs/pictures
 * @property {(page: import('playwright-core').Page) => Promise<void>} open
 * @property {boolean} [dark] whether there is a second one, NAME-dark.png
 * @property {{ width: number, height: number }} [size] of the window; left out: 1000 wide, as high as the page
 */

/**
 * The pictures of `docs/`: one story, told once by the built program. They are taken in this order, in one browser
 * session, for each goes on where the one before it ended.
 *
 * @param {string} root of the project, built
 * @returns {Promise<{ pictures: readonly DocsPicture[], close: () => Promise<void> }>}
 */
export async function docsPictures(root) {
  const program = new Program(root);
  const mocks = program.start('agent-auth mock up');
  const service = await mocks.says(/service.*?(http:\/\/[\d.:]+)/).catch(async (error) => {
    await program.close();
    throw error;
  });
  /** @type {import('./program.js').Command | undefined} */
  let claiming;
  const claim = () => {
    if (claiming === undefined) throw new Error('The claim is not open yet.');
    return claiming;
  };
  /** @type {string} */
  let before = '';

  return {
    pictures: [
      {
        name: 'connect',
        open: async (page) => {
          const connect = await program.run('agent-auth connect --call /api/resource');
          await show(page, [connect]);
        },
      },
      {
        name: 'code',
        open: async (page) => {
          claiming = program.start(`agent-auth connect --scope api.write --email ${ALICE}`);
          await claiming.says(/Waiting for/);
          before = claiming.output;
          await show(page, [claiming]);
        },
      },
      {
        name: 'claim',
        open: async (page) => {
          await page.goto(await claim().says(/(http\S+\/c\/\S+)/));
          await page.getByLabel('Email address').fill(ALICE);
          await page.getByRole('button', { name: 'Sign in' }).click();
          const code = plain(await claim().says(/Code {2}(.*)/)).replaceAll(' ', '');
          await page.getByLabel('Code that your agent shows you').fill(code);
        },
      },
      {
        name: 'live',
        dark: true,
        size: { width: 1120, height: 660 },
        open: async (page) => {
          // Its second poll: the service has answered that the claim is pending.
          await mocks.says(/authorization_pending|400[^\n]*oauth2\/token/);
          const opened = await program.run('agent-auth mock open --print');
          await page.goto(await opened.says(/(http\S+ticket=[\w-]+)/));
          await page.getByText('pending').first().waitFor();
        },
      },
      {
        name: 'approved',
        open: async (page) => {
          await page.goto(await claim().says(/(http\S+\/c\/\S+)/));
          const code = plain(await claim().says(/Code {2}(.*)/)).replaceAll(' ', '');
          await page.getByLabel('Code that your agent shows you').fill(code);
          await page.getByRole('button', { name: 'Approve' }).click();
          await page.getByRole('heading', { name: 'The agent has access' }).waitFor();
        },
      },
      {
        name: 'connected',
        open: async (page) => {
          await claim().ended();
          const rest = {
            line: claim().line,
            output: `…\n${claim().output.slice(before.length).trimStart()}`,
          };
          const call = await program.run('agent-auth call /api/resource -X POST');
          await show(page, [rest, call]);
        },
      },
      {
        name: 'connections',
        open: async (page) => {
          await page.goto(`${service}/connections`);
          await page.getByText('End access…').click();
        },
      },
      {
        name: 'ended',
        open: async (page) => {
          await page.goto(`${service}/connections`);
          await page.getByText('End access…').click();
          await page.getByRole('button', { name: 'End access' }).click();
          await page.waitForURL(/ended=/);
          const call = await program.run('agent-auth call /api/resource');
          await show(page, [call]);
        },
      },
      {
        name: 'proxy',
        open: async (page) => {
          const proxy = program.start(`agent-auth proxy --to ${service} --transcript run.json`);
          const local = plain(await proxy.says(/service.*?(http:\/\/[\d.:]+)/));
          await program.run(`agent-auth connect ${local} --call /api/resource --leave`);
          await pollWithoutWaiting(local);
          await proxy.interrupt();
          await show(page, [proxy]);
        },
      },
      {
        name: 'replay',
        open: async (page) => {
          const replay = program.start('agent-auth mock service --from run.json');
          const local = plain(await replay.says(/service.*?(http:\/\/[\d.:]+)/));
          const connect = await program.run(
            `agent-auth connect ${local} --call /api/resource --leave`,
          );
          await show(page, [replay, connect]);
          await replay.interrupt();
        },
      },
      {
        name: 'conformance',
        open: async (page) => {
          const fault = await program.run('agent-auth mock fault noTryLimit');
          const judged = await program.run(`agent-auth conformance service ${service}`);
          await show(page, [fault, judged]);
        },
      },
    ],
    close: () => program.close(),
  };
}

/**
 * @param {import('playwright-core').Page} page
 * @param {readonly { line: string, output: string }[]} commands
 */
async function show(page, commands) {
  // The page before may forbid the style of this one.
  await page.goto('about:blank');
  await page.setViewportSize({ width: 1200, height: 300 });
  await page.setContent(terminalPage(commands));
}

/**
 * A broken agent: it asks for a user's claim, and polls again at once, `slow_down` or not.
 *
 * @param {string} service
 */
async function pollWithoutWaiting(service) {
  const metadata = await fetch(`${service}/.well-known/oauth-authorization-server`);
  const { grant_types_supported: grants } = /** @type {{ grant_types_supported: string[] }} */ (
    await metadata.json()
  );
  const registered = await fetch(`${service}/agent/identity`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'service_auth', login_hint: ALICE }),
  });
  const { claim_token } = /** @type {{ claim_token: string }} */ (await registered.json());
  const grant_type = String(grants.find((grant) => grant.endsWith(':claim')));
  for (let poll = 0; poll < 3; poll += 1) {
    const body = new URLSearchParams({ grant_type, claim_token });
    await fetch(`${service}/oauth2/token`, { method: 'POST', body });
  }
}

/**
 * @param {string} text with colours
 * @returns {string}
 */
function plain(text) {
  return text.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[\\d*m`, 'g'), '');
}
