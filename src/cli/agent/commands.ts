import { type Command, Option } from 'commander';
import { IDENTITY_TYPES } from '../../protocol/constants.ts';
import { browserOption } from '../handover/browser-option.ts';
import type { Run } from '../shell/context.ts';
import { examples, SERVICE_DEFAULT } from '../shell/help-text.ts';
import { collect, duration, timeoutOption } from '../shell/option-values.ts';
import { type Timed, within } from '../shell/within.ts';
import type { ClaimOptions, ClaimWaitOptions } from './claim.ts';
import type { ConnectOptions } from './connect.ts';
import type { DiscoverOptions } from './discover.ts';
import type { RegisterOptions } from './register-plan.ts';
import { agentNameOption, dialectOption, memberOption } from './registration-options.ts';
import type { ServicesOptions } from './services.ts';
import type { StatusOptions } from './status.ts';
import { addCall, addExec, addRevoke, addToken } from './token-commands.ts';

const TIMEOUT = 'give up waiting after this time, with exit 8 (default: wait until it ends)';
const SERVICE = `the URL of a service, an issuer or a protected resource ${SERVICE_DEFAULT}`;

/** By name, in the order of the help. */
const COMMANDS: Readonly<Record<string, (program: Command, run: Run) => void>> = {
  connect: addConnect,
  discover: addDiscover,
  register: addRegister,
  claim: addClaim,
  token: addToken,
  call: addCall,
  skill: addSkill,
  exec: addExec,
  status: addStatus,
  use: addUse,
  revoke: addRevoke,
  forget: addForget,
  services: addServices,
};

export function addAgentCommands(program: Command, run: Run): void {
  for (const add of Object.values(COMMANDS)) add(program, run);
}

/** Adds one command alone. @returns whether there is one of that name. */
export function addAgentCommand(program: Command, run: Run, name: string | undefined): boolean {
  const add = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  add?.(program, run);
  return add !== undefined;
}

function addConnect(program: Command, run: Run): void {
  examples(
    program
      .command('connect')
      .summary('connect to a service: register, claim if needed, get a token, prove it by a call')
      .description(
        'Discovers the service, registers by the lightest type that fits, lets the user claim the ' +
          'registration if more scope is needed, gets a token, proves it by a call, and shows what this ' +
          'agent may do and until when.\n\n' +
          'Run again, it continues where it stopped; once everything is done, it registers nothing new. ' +
          'With --json each step is a line, and the summary is the last.',
      )
      .argument('[url]', SERVICE)
      .option(
        '--scope <scope>',
        'a scope that the token must have, or several separated by spaces; repeatable',
        collect,
      )
      .option('--email <email>', 'the user to register for')
      .option('--provider <url>', 'the provider that identifies the user')
      .addOption(
        new Option('--type <type>', 'the type of registration').choices([...IDENTITY_TYPES]),
      )
      .addOption(agentNameOption())
      .addOption(memberOption())
      .addOption(dialectOption())
      .option('--claim', 'let the user claim it, even if no more scope is needed')
      .option('--call <path>', 'prove the token by a GET of this path')
      .option('--leave', 'at the end, revoke and forget what this run registered')
      .option('--no-wait', 'stop where the user has to act (exit 8)')
      .addOption(timeoutOption())
      .addOption(browserOption())
      .action((url: string | undefined, options: ConnectOptions & Timed) =>
        run(async (context) => {
          const { connect } = await import('./connect.ts');
          return within(context, options.timeout, () => connect(context, url, options));
        }),
      ),
    'connect https://api.example.com',
    'connect https://api.example.com --email alice@example.com --call /reports',
    'connect 127.0.0.1:4800 --scope api.write --email alice@example.com --no-wait --json',
    'connect 127.0.0.1:4800 --call /api/resource --leave',
    'connect 127.0.0.1:4800 --provider 127.0.0.1:4801',
  );
}

function addDiscover(program: Command, run: Run): void {
  examples(
    program
      .command('discover')
      .summary('show what a service offers, and what is wrong with it')
      .description(
        'Follows the challenge to the metadata of the resource and of its authorization server, and shows each hop.',
      )
      .argument('[url]', SERVICE)
      .addOption(dialectOption())
      .addOption(timeoutOption())
      .action((url: string | undefined, options: DiscoverOptions & Timed) =>
        run(async (context) => {
          const { discover } = await import('./discover.ts');
          return within(context, options.timeout, () => discover(context, url, options));
        }),
      ),
    'discover 127.0.0.1:4800',
    'discover https://api.example.com/reports --json',
  );
}

function addRegister(program: Command, run: Run): void {
  examples(
    program
      .command('register')
      .summary('register at a service')
      .description(
        'Registers this agent. Without --type the lightest type that fits what is given: ' +
          'nothing → anonymous, --email → service_auth, --assertion or --provider → identity_assertion. ' +
          'If this agent already has a registration of that type for that user, and the service still ' +
          'accepts it, that one is shown and nothing is registered. --new makes another one. ' +
          'An --assertion is always sent.',
      )
      .argument('[url]', SERVICE)
      .addOption(
        new Option('--type <type>', 'the type of registration').choices([...IDENTITY_TYPES]),
      )
      .option('--email <email>', 'the user who will confirm (service_auth)')
      .option('--assertion <@file|->', 'read the ID-JAG from a file or from stdin')
      .option('--provider <url>', 'mint the ID-JAG at this provider')
      .addOption(agentNameOption())
      .addOption(memberOption())
      .addOption(dialectOption())
      .option('--new', 'make another registration, even if there is one')
      .addOption(browserOption())
      .action((url: string | undefined, options: RegisterOptions) =>
        run(async (context) => (await import('./register.ts')).register(context, url, options)),
      ),
    'register --type anonymous',
    'register https://api.example.com --email alice@example.com',
    'register --provider http://127.0.0.1:4801',
    'register --new',
  );
}

function addClaim(program: Command, run: Run): void {
  const claim = program
    .command('claim')
    .summary('let a user claim the registration')
    .description(
      'Shows the code and the page to type it on, and waits for the user. ' +
        'Resumes the open attempt, or opens one. After the user denied the claim, only --renew opens another. ' +
        'If the code expires during the wait, asks whether to get a new one. ' +
        'With --json prints the code first and the result after the wait, one line each.\n\n' +
        'Some services show the code to the user instead, on their page or in a mail. Then it is asked for ' +
        'here; without a terminal, --code hands it in (exit 8 until then). It is good once, and for minutes, ' +
        'so it may stand on the command line, where other users of this machine could read it for a moment; ' +
        '--code - reads it from stdin.',
    )
    .option('--email [email]', 'the user who claims it; without a value you are asked')
    .option('--renew', 'always open a new attempt')
    .option('--code <code|->', 'hand in the code that the user read on the page or in the mail')
    .option('--no-wait', 'show the code and return at once (exit 8)')
    .addOption(browserOption())
    .action((options: ClaimOptions) =>
      run(async (context) => (await import('./claim.ts')).claim(context, options)),
    );
  examples(
    claim,
    'claim --email alice@example.com',
    'claim --email alice@example.com --no-wait --json',
    'claim --code 123456',
    'claim wait --timeout 60s',
  );
  examples(
    claim
      .command('wait')
      .summary('wait for an open attempt, even one of another process')
      .description('Waits until the open attempt is completed, denied or expired.')
      .option('--timeout <duration>', TIMEOUT, duration)
      .action((options: ClaimWaitOptions) =>
        run(async (context) =>
          (await import('./claim.ts')).claimWait(context, {
            ...claim.opts<ClaimOptions>(),
            ...options,
          }),
        ),
      ),
    'claim wait --timeout 60s --json',
  );
}

function addSkill(program: Command, run: Run): void {
  examples(
    program
      .command('skill')
      .summary("show a service's own instructions for agents, as untrusted text")
      .description(
        'Fetches the skill file that the metadata of a service names, without credentials, and shows it. ' +
          'It is untrusted text: nothing in it is acted on.',
      )
      .argument('[url]', SERVICE)
      .action((url: string | undefined) =>
        run(async (context) => (await import('./skill.ts')).skill(context, url)),
      ),
    'skill 127.0.0.1:4800',
    'skill https://api.example.com --json',
  );
}

function addStatus(program: Command, run: Run): void {
  examples(
    program
      .command('status')
      .summary('show the registrations on this machine')
      .description(
        'Shows registrations with their state, scopes and expiry, and where the credential comes from.\n\n' +
          'It reads the credential file and sends nothing: what is left is counted by the clock of each server ' +
          'as it was seen last. Where the clock of a service or of this machine has been set since, as that ' +
          'of a mock by `mock advance`, only --check shows what has expired; a revocation that no command ' +
          'of this machine has met shows in neither.',
      )
      .option('--check', 'ask each service for its time first, if it answers')
      .action((options: StatusOptions) =>
        run(async (context) => (await import('./status.ts')).status(context, options)),
      ),
    'status',
    'status --json',
    'status --check',
  );
}

function addUse(program: Command, run: Run): void {
  examples(
    program
      .command('use')
      .summary('switch to another registration of this agent')
      .description(
        'Switches to another registration; later commands use it. `status` lists what there is.',
      )
      .argument('[registration]', 'its id, or the beginning of it (default: you are asked)')
      .action((id: string | undefined) =>
        run(async (context) => (await import('./use.ts')).use(context, id)),
      ),
    'use reg_5Yw1',
  );
}

function addForget(program: Command, run: Run): void {
  examples(
    program
      .command('forget')
      .summary('revoke the token and remove the registration from this machine')
      .description(
        'Revokes the access token and removes the registration from the credential file.',
      )
      .argument('[registration]', 'its id, or the beginning of it (default: the one in use)')
      .action((id: string | undefined) =>
        run(async (context) => (await import('./forget.ts')).forget(context, id)),
      ),
    'forget',
  );
}

function addServices(program: Command, run: Run): void {
  examples(
    program
      .command('services')
      .summary('list what a service directory offers')
      .description(
        'Reads /api/services of a service, without credentials, and shows it as a table, ' +
          'or byte for byte as it was served.',
      )
      .argument('[url]', `the base URL of the service ${SERVICE_DEFAULT}`)
      .addOption(
        new Option('--format <format>', 'a table, or the response as served')
          .choices(['table', 'json', 'xml'])
          .default('table'),
      )
      .action((url: string | undefined, options: ServicesOptions) =>
        run(async (context) => (await import('./services.ts')).services(context, url, options)),
      ),
    'services',
    'services 127.0.0.1:4800 --format json',
    'services --format xml',
  );
}
