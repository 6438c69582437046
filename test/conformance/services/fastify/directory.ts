import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Service } from './service.ts';

const VERSION = 2.07;
const LISTING = 1081;
const OTHER_FORMAT = 'Invalid method';

interface Entry {
  readonly service_id: number;
  readonly service_name: string;
  readonly methods: Readonly<Record<string, number>>;
}

const CATALOG: readonly Entry[] = [
  {
    service_id: 223,
    service_name: 'api',
    methods: {
      '/services': 1081,
      '/usage': 1097,
      '/methods': 1103,
      '/versions': 1109,
      '/changelog': 1117,
    },
  },
  {
    service_id: 227,
    service_name: 'server',
    methods: { '/time': 1087, '/codes': 1091, '/admin': 1093 },
  },
  {
    service_id: 229,
    service_name: 'resources',
    methods: {
      ...{ '/printers': 1123, '/infosessions': 1129, '/academics/groups': 1229 },
      ...{ '/academics/organizations': 1231, '/academics/subjects': 1237 },
      ...{ '/academics/terms': 1249, '/academics/instructions': 1259 },
    },
  },
  {
    service_id: 239,
    service_name: 'courses',
    methods: {
      ...{ '/{department}': 1153, '/{department}/{number}': 1163 },
      '/{department}/{number}/schedule': 1171,
      '/{subject}/{number}/prerequisites': 1181,
    },
  },
  {
    service_id: 241,
    service_name: 'terms',
    methods: { '/{term}/examschedule': 1187, '/{term}/{subject}/{number}/schedule': 1193 },
  },
  {
    service_id: 257,
    service_name: 'buildings',
    methods: { '/list': 1213, '/{building}': 1217, '/{building}/{room}/courses': 1223 },
  },
  {
    service_id: 269,
    service_name: 'foodservices',
    methods: {
      ...{ '/products/{id}': 1277, '/products/search': 1279, '/outlets': 1283, '/card': 1289 },
      ...{ '/{year}/{week}/{id}/menu': 1291, '/{year}/{week}/{id}/notes': 1297 },
      ...{ '/{year}/{week}/{id}/announcements': 1301, '/menu': 1303, '/notes': 1307 },
      ...{ '/announcements': 1319, '/diets': 1321 },
    },
  },
];

type Node = string | number | null | readonly Node[] | { readonly [name: string]: Node };

/** `/api/services.{format}`: the list of services, open to everybody. */
export async function directoryRoutes(app: FastifyInstance, { config }: Service): Promise<void> {
  let answered = 0;

  for (const prefix of ['', '/v2']) {
    app.get<{ Params: { format: string }; Querystring: Record<string, string | string[]> }>(
      `${prefix}/api/services.:format`,
      async ({ params: { format }, query }, reply) => {
        if (format === 'json') return sendJson(reply, query['callback']);
        if (format === 'xml') return sendXml(reply);
        return reply.status(404).send(envelope(501, OTHER_FORMAT, []));
      },
    );
  }

  function sendJson(reply: FastifyReply, callback: string | string[] | undefined) {
    reply.header('cache-control', 'no-store');
    if (callback === undefined) {
      return reply.type('application/json; charset=utf-8').send(success());
    }
    if (typeof callback !== 'string' || !isName(callback)) {
      return reply.status(400).send(envelope(501, OTHER_FORMAT, []));
    }
    // Neither is a line in a script of older browsers.
    const script = JSON.stringify(success()).replace(/[\u2028\u2029<]/g, escaped);
    return reply.type('text/javascript; charset=utf-8').send(`/**/${callback}(${script});`);
  }

  function sendXml(reply: FastifyReply) {
    const body = `<?xml version="1.0" encoding="UTF-8"?>\n${element('response', success())}\n`;
    return reply
      .header('cache-control', 'no-store')
      .type('application/xml; charset=utf-8')
      .send(body);
  }

  function success() {
    answered += 1;
    const data = CATALOG.map(({ methods, ...entry }) => ({
      ...entry,
      service_url: `${config.issuer}/v2/${entry.service_name}`,
      methods: Object.entries(methods).map(([path, id]) => ({
        method_id: id,
        method_url: `${path}.{format}`,
      })),
    }));
    return envelope(200, 'Request successful', data);
  }

  function envelope(status: number, message: string, data: readonly Node[]) {
    return {
      meta: {
        requests: status === 200 ? answered : -1,
        timestamp: Math.floor(config.now() / 1000),
        ...{ status, message, method_id: LISTING, version: VERSION, method: {} },
      },
      data,
    };
  }
}

function isName(callback: string): boolean {
  const words = ['undefined', 'NaN', 'Infinity'];
  const isShaped = /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*$/.test(callback);
  return isShaped && callback.length <= 64 && !words.includes(callback);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function element(name: string, value: Node): string {
  if (value === null) return `<${name}/>`;
  if (typeof value !== 'object') return `<${name}>${text(String(value))}</${name}>`;
  const inner = isList(value)
    ? value.map((each) => element('item', each))
    : Object.entries(value).map(([key, each]) => element(key, each));
  return `<${name}>${inner.join('')}</${name}>`;
}

function isList(value: object): value is readonly Node[] {
  return Array.isArray(value);
}

function text(value: string): string {
  return value.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);
}
