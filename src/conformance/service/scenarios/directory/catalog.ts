import { shown } from '../../../engine/judge.ts';
import type { Answer } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-world.ts';
import { Directory, objects } from '../../steps/directory.ts';

/** The paths of the specification; the names of variables are free. */
const CATALOG = {
  api: ['/services', '/usage', '/methods', '/versions', '/changelog'],
  server: ['/time', '/codes', '/admin'],
  resources: [
    '/printers',
    '/infosessions',
    '/academics/groups',
    '/academics/organizations',
    '/academics/subjects',
    '/academics/terms',
    '/academics/instructions',
  ],
  courses: ['/{}', '/{}/{}', '/{}/{}/schedule', '/{}/{}/prerequisites'],
  terms: ['/{}/examschedule', '/{}/{}/{}/schedule'],
  buildings: ['/list', '/{}', '/{}/{}/courses'],
  foodservices: [
    '/products/{}',
    '/products/search',
    '/outlets',
    '/card',
    '/{}/{}/{}/menu',
    '/{}/{}/{}/notes',
    '/{}/{}/{}/announcements',
    '/menu',
    '/notes',
    '/announcements',
    '/diets',
  ],
} as const;

type ServiceName = keyof typeof CATALOG;

export const directoryCatalog = serviceScenario({
  id: 'directory-catalog',
  title: 'The listing has the catalog of the specification',
  safe: true,
  checks: {
    api: 'Service `api` has its five methods.',
    server: 'Service `server` has its three methods.',
    resources: 'Service `resources` has its seven methods.',
    courses: 'Service `courses` has its four methods.',
    terms: 'Service `terms` has its two methods.',
    buildings: 'Service `buildings` has its three methods.',
    foodservices: 'Service `foodservices` has its eleven methods.',
  },
  async run(judge, world) {
    const directory = await Directory.open(world);
    const listed = directory.methods();
    for (const name of Object.keys(CATALOG) as ServiceName[]) {
      const paths = new Set(
        listed
          .filter(({ service }) => service === name)
          .map(({ template }) => shapeOf(template.split(`/v2/${name}`)[1] ?? '')),
      );
      const missing = CATALOG[name].filter((path) => !paths.has(path));
      const { exchange } = directory.listing;
      judge.expect(name, missing.length === 0, `none at ${missing.join(', ')}`, { exchange });
    }
  },
});

function shapeOf(path: string): string {
  return path.replace(/\.\{format\}$/, '').replace(/\{[^{}]*\}/g, '{}');
}

/** The codes of the envelope, as published. */
const CODES: Readonly<Record<number, string>> = {
  200: 'Request successful',
  204: 'No data returned',
  401: 'Invalid API key',
  403: 'The provided API key has been banned',
  429: 'API request limit reached',
  501: 'Invalid method',
  511: 'API key is required (?key=)',
};

export const directorySiblings = serviceScenario({
  id: 'directory-siblings',
  title: 'The open methods beside the listing are answered',
  safe: true,
  checks: {
    'same-methods': 'The method `methods` has the same ids and URLs as the listing.',
    parameters: 'The `parameters` in `methods` are the variables of each URL, and `format`.',
    codes: 'The method `codes` has exactly the published codes and messages.',
  },
  async run(judge, world) {
    const directory = await Directory.open(world);
    const called = async (end: string) => {
      const method = directory.find(end);
      const answer = method && (await directory.call(method.template));
      return answer?.ok === true ? answer : undefined;
    };
    judgeMethods(await called('/api/methods.{format}'));
    const codes = await called('/server/codes.{format}');
    if (codes === undefined) {
      judge.skip('codes', 'The method `codes` does not answer.');
      return;
    }
    const published = Object.entries(CODES).map(([code, message]) => `${code} ${message}`);
    const listed = objects(codes.member('data')).map(({ code, message }) => `${code} ${message}`);
    const isSame = listed.toSorted().join('\n') === published.toSorted().join('\n');
    judge.table(codes, {
      codes: { ok: isSame, seen: listed.join(', '), expected: published.join(', ') },
    });

    function judgeMethods(methods: Answer | undefined): void {
      if (methods === undefined) {
        judge.skip(['same-methods', 'parameters'], 'The method `methods` does not answer.');
        return;
      }
      const entries = objects(methods.member('data'));
      const ours = directory.methods().map(({ id, template }) => `${id} ${template}`);
      const theirs = entries.map(({ method_id: id, method_url: url }) => `${id} ${url}`);
      const odd = difference(ours, theirs);
      const wrong = entries.find(({ method_url: url, parameters }) => {
        const wanted = [...String(url).matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
        const named = Array.isArray(parameters) ? parameters.map(String) : [];
        return parameters !== null && wanted.toSorted().join() !== named.toSorted().join();
      });
      judge.table(methods, {
        'same-methods': { ok: odd.length === 0, seen: `differs in ${odd.slice(0, 3).join(', ')}` },
        parameters: { ok: wrong === undefined, seen: shown(wrong) },
      });
    }
  },
});

/** What only one of the two has. */
function difference(ours: readonly string[], theirs: readonly string[]): readonly string[] {
  return [
    ...ours.filter((line) => !theirs.includes(line)),
    ...theirs.filter((line) => !ours.includes(line)),
  ];
}
