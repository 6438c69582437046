/**
 * The codes of errors that the program itself gives, beside those of the agent and of the wire: how a command ends by
 * each, what happened, and what to do. `agent-auth help errors` prints all of them.
 */
import { NETWORK_HINTS } from '../../agent/http/network-hints.ts';
import type { ListenErrorCode } from '../../mock/http/listen-error.ts';
import type { NetworkErrorCode } from '../../runtime/ports.ts';
import type { Outcome } from './exit-codes.ts';

interface ProgramCode {
  readonly ends: Exclude<Outcome, 'done'>;
  /** How it ends `conformance`, where `ends` would be taken for a verdict. */
  readonly judging?: Outcome;
  readonly means: string;
  readonly advice: string;
}

const entry =
  <Ends extends ProgramCode['ends']>(ends: Ends) =>
  (means: string, advice: string) => ({ ends, means, advice });
const usage = entry('usage');
const failed = entry('failed');
const network = entry('network');
/** A port of ours: for a run of `conformance` it is a wrong line. */
const port = (means: string, advice: string) =>
  ({ ...failed(means, advice), judging: 'usage' }) as const;

const NAME_ONE = 'Name one; the error lists them.';
const MEND_FILE = 'Mend the file; the message says where.';
const TRY_AGAIN = 'Try again.';

export const PROGRAM_CODES = {
  usage: usage('The line cannot be carried out as it is.', 'Type the line of `next`.'),
  options_clash: usage('Options exclude each other, or one needs another.', 'Leave one out.'),
  secret_in_arguments: usage(
    'A secret was given as an argument, where other users of the machine see it. Nothing was sent.',
    'Give it as @FILE, or - for stdin.',
  ),
  password_in_argument: usage(
    '--db has a password in its URL.',
    'Set PGPASSWORD, or put the URL into AGENT_AUTH_DB.',
  ),
  service_missing: usage('No service was named, or several could be meant.', NAME_ONE),
  provider_missing: usage('No provider was named, or several could be meant.', NAME_ONE),
  registration_missing: usage('Several registrations could be meant.', NAME_ONE),
  type_missing: usage('No type of registration was named.', 'Name one with --type.'),
  command_missing: usage(
    'The command to run is missing, or there is none of that name.',
    'Put it after --.',
  ),
  bad_command: usage('The command cannot be started.', 'Name another.'),
  context_missing: usage(
    'An adapter was started without AGENT_AUTH_CONTEXT.',
    'Let `conformance agent` start it.',
  ),
  file_unreadable: usage('A file cannot be read.', 'Name another.'),
  file_unwritable: usage('A file cannot be written.', 'Name another.'),
  file_too_large: usage('A file is larger than 16 MiB.', 'Name another.'),
  file_open_to_others: usage('Other users can read the file of a key.', 'Let its mode be 600.'),
  bad_config: usage('The file of --config cannot be used.', MEND_FILE),
  bad_tls: usage(
    'The certificate or the key of a mock cannot be used.',
    'Name others, or take --tls.',
  ),
  bad_ca: usage('The file of --ca has no valid certificate.', 'Name one in PEM.'),
  bad_key: usage('The file of --provider-key cannot be used.', MEND_FILE),
  bad_accounts: usage('The file of --accounts cannot be used.', MEND_FILE),
  bad_baseline: usage('The baseline cannot be used.', MEND_FILE),
  bad_report: usage(
    'The report of --since cannot be used.',
    'Name a JSON report of the same role.',
  ),
  transcript_invalid: usage('The transcript of --from cannot be replayed.', MEND_FILE),
  database_version: usage(
    'Another version made the database.',
    'Name a file that is not there yet.',
  ),
  database_in_use: usage(
    'Another process uses the database file.',
    'Use that mock, or name another file.',
  ),
  remote_sign_in: usage(
    'A sign-in without a password would be open to other machines.',
    'Listen on loopback, or take --allow-remote-sign-in.',
  ),
  mock_missing: usage('The mock that is wanted does not run here.', 'Start it: `mock up`.'),
  mock_ambiguous: usage('Several mocks run here.', 'Name one with --service.'),
  control_off: usage('The mock was started without controls.', 'Start it without --no-control.'),
  control_token_missing: usage(
    'There is no token for the control API.',
    'Set AGENT_AUTH_CONTROL_TOKEN.',
  ),
  proxy_missing: usage('No proxy with a live view runs here.', 'Start one: `proxy --to URL`.'),
  proxy_ambiguous: usage('Several proxies run here.', 'Open the link that one of them prints.'),
  proxy_loop: usage('The proxy would stand in front of itself.', 'Name another --to.'),
  target_unusable: usage('What was named is no folder, file or URL.', 'Name one of them.'),
  unknown_check: usage('--only or --skip matches no check.', 'Look at `conformance list`.'),
  cannot_test: usage(
    'What was to help with judging cannot be used. Nothing was judged.',
    'Mend what the message names.',
  ),
  message_too_long: usage('A message to the MCP server is longer than 10 MiB.', 'Send less.'),

  interrupted: entry('interrupted')('It was interrupted.', 'Run it again to go on.'),
  timeout: network('It took longer than --timeout allows.', 'Allow more, or look: `doctor`.'),
  unexpected: failed('An error that is explained nowhere.', 'Report it: it is a bug.'),
  system: failed('The operating system reported an error.', 'Mend what the message names.'),
  output_lost: failed(
    'The output could not be written to its end.',
    'Make room, and run it again.',
  ),
  database: failed('The database cannot be used.', 'Mend what the message names.'),
  database_busy: failed('The server of the database is busy, or gone.', 'Try again later.'),
  authority_not_written: failed(
    'The certificate of --tls could not be written.',
    'Make room for it.',
  ),
  binary_answer: failed('The answer is no text.', 'Write it to a file with --output.'),
  command_not_found: entry('notFound')('`exec`: there is no such command.', 'Name another.'),
  command_not_runnable: entry('notRunnable')('`exec`: the command cannot be run.', 'Name another.'),
  bad_target: failed('What answers is nothing that can be judged.', 'Check the URL.'),
  not_a_directory: failed(
    'There is no service directory.',
    'Give the base URL of a service that has one.',
  ),
  live_off: failed('The mock has no live view.', 'Start it without --no-live.'),
  no_claim_open: failed('No claim is open.', 'Open one: `claim`.'),
  no_sign_in_open: failed('No sign-in is open.', 'Start one: `provider login`.'),
  consent_expired: entry('expired')('The consent page has expired.', TRY_AGAIN),
  consent_declined: entry('refused')(
    'The user declined at the terminal. Nothing was sent.',
    TRY_AGAIN,
  ),
  asked_again: entry('refused')(
    'A sign-in or a consent is asked for that was just given.',
    'Tell the service or the provider: the fault is there.',
  ),
  directory_refused: entry('refused')('The directory is not public.', 'Read it with `call`.'),
  no_challenge: entry('unregistered')(
    'Without a token there is no challenge to register from.',
    'Register first: `register`.',
  ),

  control_invalid_request: usage('The mock does not take what was typed.', 'Give other values.'),
  control_invalid_token: failed('The mock refuses the control token.', 'Start the mock again.'),
  control_forbidden: failed('The mock takes no controls from here.', 'Call from its machine.'),
  control_not_found: failed('The mock has no such thing, or no such control.', 'See `mock list`.'),
  control_conflict: entry('refused')('The claim machine refuses it.', 'See `mock list`.'),
  control_failed: failed('The mock answers without the JSON of its controls.', 'Start it again.'),
  listen_in_use: port('Another program has the port.', 'Take the free one of `next`.'),
  listen_denied: port('The system does not give the port.', 'Take one from 1024 on.'),
  listen_bad_port: usage('Fetch refuses the port.', 'Take the free one of `next`.'),
  listen_unavailable: port('This machine has no such interface.', 'Name another --host.'),

  target_unreachable: network(
    'What is to be judged does not answer.',
    'Start it, or check the URL.',
  ),
  network_refused: network(
    'Nothing listens there.',
    'Is the server running? For a mock to try against: agent-auth mock up',
  ),
  network_not_found: network('There is no such host.', 'Check the spelling of the host name.'),
  network_timeout: network('No answer came in time.', 'Try again later.'),
  network_tls: network('The certificate is not trusted.', NETWORK_HINTS.tls),
  network_not_tls: network('The server does not speak TLS.', NETWORK_HINTS.not_tls),
  network_proxy: network('The proxy failed.', NETWORK_HINTS.proxy),
  network_bad_port: network('Fetch refuses the port.', NETWORK_HINTS.bad_port),
  network_reset: network('The connection broke off.', NETWORK_HINTS.reset),
  network_large_head: network('The headers of the answer are too large.', NETWORK_HINTS.large_head),
  network_redirected: network(
    'A redirect was the answer.',
    'Redirects are not followed. If you trust the target, use its URL.',
  ),
  network_aborted: network('The request was ended here.', TRY_AGAIN),
  network_unknown: network('No answer came.', 'Try again with --debug.'),
} as const satisfies Readonly<Record<string, ProgramCode>> &
  Readonly<Record<`network_${NetworkErrorCode}` | `listen_${ListenErrorCode}`, ProgramCode>>;
