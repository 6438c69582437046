import { Hono } from 'hono';
import { ownForm } from './forms.ts';
import { csrfField, Html, html, page } from './html.ts';
import type { Session } from './sessions.ts';
import { Refusal, type Site } from './site.ts';

/** The agents of the signed-in user, each with a button that ends it. */
export function connectionRoutes(site: Site): Hono {
  const app = new Hono();
  app.get('/connections', (c) => {
    const session = site.sessions.of(c);
    const account = session?.account;
    if (session === undefined || account === undefined)
      return c.redirect('/signin?next=%2Fconnections', 303);
    const rows = [...site.registrations.all()]
      .filter(({ claimed, revoked }) => claimed?.accountId === account.id && !revoked)
      .map(({ id, scopes }) => row(session, id, scopes));
    return page(
      c,
      200,
      'Your agents',
      html`<p>${account.email}</p><ul>${new Html(rows.map(({ text }) => text).join(''))}</ul>
<form method="post" action="/signout">${csrfField(session.csrf)}<button>Sign out</button></form>`,
    );
  });
  app.post('/connections', async (c) => {
    const session = site.sessions.of(c);
    if (session?.account === undefined) return c.redirect('/signin?next=%2Fconnections', 303);
    const registration = site.registrations.byId((await ownForm(site, c, session))['id'] ?? '');
    if (registration?.claimed?.accountId !== session.account.id)
      throw new Refusal(404, 'not_found', 'You have no such agent.');
    registration.revoked = true;
    return c.redirect('/connections', 303);
  });
  return app;
}

function row(session: Session, id: string, scopes: readonly string[]): Html {
  return html`<li>${id}: ${scopes.join(', ')} <form method="post" action="/connections">
${csrfField(session.csrf)}<input type="hidden" name="id" value="${id}"><button>End</button></form></li>`;
}
