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
