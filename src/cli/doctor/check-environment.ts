import { displayText } from '../../protocol/text.ts';
import { PROXY_VARIABLES } from '../../runtime/proxy.ts';
import { NO_BROWSER_TEXT, whyNoBrowser } from '../prompts/user-page.ts';
import type { Context } from '../shell/context.ts';
import { ENVIRONMENT_VARIABLES } from '../shell/environment.ts';
import { redactUrl } from '../shell/redact-url.ts';
import { type Check, type CheckGroup, ok, warn } from './check.ts';

const NAMES = [
  ...new Set([...Object.keys(ENVIRONMENT_VARIABLES), ...Object.values(PROXY_VARIABLES).flat()]),
];

/** Variables whose values are shown as they are; of the others only the name is, except for URLs. */
const PLAIN = new Set<string>([
  'AGENT_AUTH_HOME',
  'XDG_CONFIG_HOME',
  'APPDATA',
  'XDG_RUNTIME_DIR',
  'NO_PROXY',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'NO_COLOR',
  'FORCE_COLOR',
  'TERM',
  'CI',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'container',
  'npm_command',
]);

const URLS = new Set<string>(['AGENT_AUTH_SERVICE', ...PROXY_VARIABLES.https]);

/** The variables that are set and read; of a secret only the name. */
export function checkEnvironment(context: Context): CheckGroup {
  const { world } = context;
  const { source } = world.environment;
  const set = NAMES.filter((name) => source[name]).map((name) => ({
    name,
    value: shownValue(name, source[name] ?? ''),
  }));
  const list = set.map(({ name, value }) => (value === null ? name : `${name}=${value}`));
  const checks = [
    ok('environment', list.length === 0 ? 'No variable is set.' : `Set: ${list.join(', ')}.`, {
      details: { variables: set },
    }),
  ];
  if (source['AGENT_AUTH_TOKEN']) {
    checks.push(
      warn('environment_token', 'AGENT_AUTH_TOKEN is set, so stored registrations are not used.', {
        hint: 'Unset it to use them.',
      }),
    );
  }
  checks.push(checkBrowser(context));
  return { title: 'Environment', checks };
}

/** What Enter does on the screen that waits for a user. */
function checkBrowser(context: Context): Check {
  const reason = whyNoBrowser(context, 'auto');
  if (reason === undefined) {
    return ok('browser', 'Enter opens the page for the user in a browser.', {
      details: { opens: true, reason: null },
    });
  }
  return ok('browser', `No browser is opened here: ${NO_BROWSER_TEXT[reason]}.`, {
    hint: 'Open the URL yourself, on any device, or use --browser always.',
    details: { opens: false, reason },
  });
}

function shownValue(name: string, value: string): string | null {
  if (PLAIN.has(name)) return displayText(value, 200);
  if (!URLS.has(name)) return null;
  const absolute = value.includes('://') ? value : `http://${value}`;
  return displayText(redactUrl(absolute), 200);
}
