import { randomUUID } from 'node:crypto'
import { PASSWORD, type Person, signUp } from './accounts.ts'
import type { Requests, Response } from './client.ts'
import { openBrowser } from './pages.ts'
import { join, type MemberRole, type OwnedProfile } from './teams.ts'

/** A browser without script that is signed in to an account. */
export async function browserOf(app: Requests, { account }: Person) {
  const tab = openBrowser(app)
  const signedIn = await tab.submit('/login', { email: account.email, password: PASSWORD })
  if (signedIn.statusCode !== 303) throw new Error(`not signed in: ${signedIn.body}`)
  return tab
}

/** A browser of a new member of the team of a profile. */
export async function browserOfMember(app: Requests, profile: OwnedProfile, role: MemberRole) {
  const person = await signUp(app)
  await join(profile, person, role)
  return browserOf(app, person)
}

/** A form with a fresh id, for an action of a screen. */
export const formOf = (action: string, fields: Record<string, string> = {}) => ({
  do: action,
  form_id: randomUUID(),
  ...fields,
})

/** The actions whose buttons a page shows. */
export const actionsOn = ({ body }: Pick<Response, 'body'>): ReadonlySet<string> =>
  new Set([...body.matchAll(/ name="do" value="([^"]+)"/g)].map(([, action = '']) => action))

/** The text of the element with a role. */
export const roleIn = ({ body }: Pick<Response, 'body'>, role: 'alert' | 'status'): string | undefined =>
  new RegExp(`role="${role}"[^>]*>(?:<p>)?(.*?)</`).exec(body)?.[1]

/** The fields of the form that has an action, as a browser would send them without a change. */
export function fieldsOfForm({ body }: Pick<Response, 'body'>, action: string): Record<string, string> {
  const form = [...body.matchAll(/<form[\s\S]*?<\/form>/g)]
    .map(([markup]) => markup)
    .find((markup) => markup.includes(`name="do" value="${action}"`))
  if (form === undefined) throw new Error(`no form with the action "${action}"`)
  const fields: Record<string, string> = { do: action }
  const unescaped = (text: string) =>
    text
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
  for (const [input] of form.matchAll(/<input[^>]*>/g)) {
    const name = / name="([^"]*)"/.exec(input)?.[1]
    if (name === undefined || / type="file"/.test(input)) continue
    if (/ type="(checkbox|radio)"/.test(input) && !input.includes(' checked')) continue
    fields[name] = unescaped(/ value="([^"]*)"/.exec(input)?.[1] ?? '')
  }
  for (const [, name = '', text = ''] of form.matchAll(
    /<textarea[^>]* name="([^"]*)"[^>]*>\n?([\s\S]*?)<\/textarea>/g,
  )) {
    fields[name] = unescaped(text)
  }
  for (const [, name = '', options = ''] of form.matchAll(/<select[^>]* name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g)) {
    const chosen = /<option value="([^"]*)"[^>]* selected/.exec(options) ?? /<option value="([^"]*)"/.exec(options)
    fields[name] = unescaped(chosen?.[1] ?? '')
  }
  return fields
}
