// What `call` is compared with: a program that sends the same requests with undici and nothing else, and prints the
// last answer. Arguments: the origin, the token, then each request as `METHOD /path`.
import { request } from 'undici';

const [origin = '', token = '', ...requests] = process.argv.slice(2);
for (const each of requests) {
  const [method = 'GET', path = '/'] = each.split(' ');
  const { body } = await request(origin + path, {
    method: /** @type {import('undici').Dispatcher.HttpMethod} */ (method),
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await body.text();
  if (each === requests.at(-1)) process.stdout.write(text);
}
