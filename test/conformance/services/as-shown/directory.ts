import { html, Markup, type Routes } from '../support.ts';

/** As the second document lists them. */
const CATALOG: Readonly<Record<string, string>> = {
  api: '/services /usage /methods /versions /changelog',
  server: '/time /codes /admin',
  resources:
    '/printers /infosessions /academics/groups /academics/organizations /academics/subjects /academics/terms /academics/instructions',
  courses:
    '/{department} /{department}/{number} /{department}/{number}/schedule /{subject}/{number}/prerequisites',
  terms: '/{term}/examschedule /{term}/{subject}/{number}/schedule',
  buildings: '/list /{building} /{building}/{room}/courses',
  foodservices:
    '/products/{id} /products/search /outlets /card /{year}/{week}/{id}/menu /{year}/{week}/{id}/notes /{year}/{week}/{id}/announcements /menu /notes /announcements /diets',
};

const LISTING_METHOD = 1081;
const LISTING_SERVICE = 223;

/** `GET /api/services.{format}`: the one method whose answer is shown. */
export function directory(base: string): Routes {
  const data = dataOf(base);
  let requests = 0;
  const answer = () => {
    requests += 1;
    const meta = {
      requests,
      // As in the Date field, which Node sends by its own clock.
      timestamp: Math.floor(Date.now() / 1000),
      status: 200,
      message: 'Request successful',
      method_id: LISTING_METHOD,
      version: 2,
      method: {},
    };
    return { meta, data };
  };
  const live = { 'cache-control': 'max-age=0' };
  return {
    '/api/services.json': {
      GET: ({ url }) => {
        const callback = new URL(url).searchParams.get('callback');
        const json = JSON.stringify(answer());
        if (callback === null) {
          return new Response(json, { headers: { ...live, 'content-type': 'application/json' } });
        }
        if (!/^[\w$.]{1,64}$/.test(callback)) return new Response(null, { status: 400 });
        const script = { ...live, 'content-type': 'text/javascript' };
        return new Response(`${callback}(${json});`, { headers: script });
      },
    },
    '/api/services.xml': {
      GET: () =>
        new Response(`<?xml version="1.0"?>${element('response', answer()).text}`, {
          headers: { ...live, 'content-type': 'application/xml' },
        }),
    },
  };
}

function dataOf(base: string): readonly object[] {
  let id = LISTING_METHOD;
  return Object.entries(CATALOG).map(([name, paths], at) => ({
    service_id: LISTING_SERVICE + at,
    service_name: name,
    service_url: `${base}/v2/${name}`,
    methods: paths.split(' ').map((path) => ({ method_id: id++, method_url: `${path}.{format}` })),
  }));
}

function element(name: string, value: unknown): Markup {
  const children = Array.isArray(value)
    ? value.map((each) => element('item', each))
    : value !== null && typeof value === 'object'
      ? Object.entries(value).map(([key, each]) => element(key, each))
      : [html`${String(value ?? '')}`];
  const inner = children.map(({ text }) => text).join('');
  return new Markup(`<${name}>${inner}</${name}>`);
}
