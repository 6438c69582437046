import { serviceScenario } from '../../service-scenario.ts';
import { Directory } from '../../steps/directory.ts';

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
