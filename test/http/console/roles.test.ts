import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { actionsOn, browserOf } from '../../support/console.ts'
import { casesOf, type FormCase } from '../../support/every-screen.ts'
import { comparable, filledIn, type Sent, sendForm, shownForm, type Tab } from '../../support/screen-forms.ts'
import { openScreenWorld, type ScreenWorld, TEAM, type TeamRole } from '../../support/screen-world.ts'

let world: ScreenWorld
let cases: ReturnType<typeof casesOf>
let tabs: ReadonlyMap<TeamRole, Tab>
let chief: Tab
let stranger: Tab

beforeAll(async () => {
  world = await openScreenWorld()
  cases = casesOf(world)
  tabs = new Map(
    await Promise.all(
      [...world.people].map(async ([role, person]) => [role, await browserOf(world.app, person)] as const),
    ),
  )
  chief = await browserOf(world.app, world.chief)
  stranger = await browserOf(world.app, await signUp(world.app, 'a-stranger'))
})
afterAll(() => world.close())

const tabOf = (role: TeamRole): Tab => {
  const tab = tabs.get(role)
  if (!tab) throw new Error(`no member has the role ${role}`)
  return tab
}

type Case = (typeof cases)[number]
const opensOf = ({ screen: { permission = 'profile.read' } }: Case) => permission
const permissionOf = ({ screen }: Case, action: string): string => {
  const post: Readonly<Record<string, { readonly permission?: string | undefined }>> = screen.post ?? {}
  return post[action]?.permission ?? opensOf({ screen } as Case)
}
/** What the addresses of a screen show. */
const shownAt = async (tab: Tab, { tested }: Case) => {
  const pages: string[] = []
  for (const at of tested.full) pages.push(comparable(await tab.open(at)))
  return pages
}
const ofSection = (section: Case['screen']['section']) => cases.filter(({ screen }) => screen.section === section)
/** Where one member has a control that another does not have. */
const addressOf = (at: string, role: TeamRole) =>
  at.replace(world.webhooks.get('owner') ?? '-', world.webhooks.get(role) ?? '-')

/** A form that its screen would accept: as the one who has its button fills it in. */
async function validForm({ screen }: Case, action: string, tested: FormCase): Promise<Sent> {
  const tab = screen.section === 'admin' ? chief : tabOf(tested.by ?? 'owner')
  const form = await shownForm(world.app, tab, action, tested)
  if (!form && !tested.isOfScript) throw new Error(`${tested.at} has no button "${action}"`)
  return filledIn(form, action, tested).filter(([name]) => name !== 'written_by')
}

describe('the controls of a screen', () => {
  it('are each on a page of the ones who may use them, or are sent by a script', async () => {
    const unseen: string[] = []
    for (const each of cases) {
      for (const [action, tested] of Object.entries(each.tested.forms)) {
        if (tested.unseen) continue
        await validForm(each, action, tested).catch((error: Error) => unseen.push(error.message))
      }
    }
    expect(unseen).toEqual([])
  })

  it('are shown to exactly the roles that may use them', async () => {
    const wrong: string[] = []
    for (const each of ofSection('profile')) {
      for (const at of each.tested.full) {
        const shown = actionsOn(await tabOf('owner').open(at))
        const ofOthers = Object.entries(each.tested.forms).flatMap(([action, { by }]) => (by ? [action] : []))
        for (const role of TEAM) {
          const page = await tabOf(role).open(addressOf(at, role))
          const opens = world.may(role, opensOf(each))
          const expected = [...shown, ...(role === 'owner' ? [] : ofOthers)].filter((action) =>
            world.may(role, permissionOf(each, action)),
          )
          const found = [page.statusCode, ...[...actionsOn(page)].sort()].join(' ')
          const right = opens ? [200, ...new Set(expected.sort())].join(' ') : '403'
          if (found !== right) wrong.push(`${role} at ${at}: ${found}, not ${right}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })

  it('are refused to every other role that posts their forms by hand, and change nothing', async () => {
    const wrong: string[] = []
    let posted = 0
    for (const each of ofSection('profile')) {
      const before = await shownAt(tabOf('owner'), each)
      for (const [action, tested] of Object.entries(each.tested.forms)) {
        const sent = await validForm(each, action, tested)
        for (const role of TEAM) {
          if (world.may(role, permissionOf(each, action))) continue
          const { statusCode } = await sendForm(world.app, tabOf(role), { url: tested.at, sent, tested })
          posted += 1
          if (statusCode !== 403) wrong.push(`${role}: ${each.screen.name} ${action}: ${statusCode}`)
        }
        const { statusCode } = await sendForm(world.app, stranger, { url: tested.at, sent, tested })
        if (statusCode !== 403) wrong.push(`stranger: ${each.screen.name} ${action}: ${statusCode}`)
      }
      if ((await shownAt(tabOf('owner'), each)).join() !== before.join()) {
        wrong.push(`${each.screen.name} changed`)
      }
    }
    expect(wrong).toEqual([])
    expect(posted).toBeGreaterThan(60)
  })

  it('do not exist below /admin for people who are not administrators', async () => {
    const wrong: string[] = []
    for (const each of ofSection('admin')) {
      const before = await shownAt(chief, each)
      for (const tab of [tabOf('owner'), stranger]) {
        for (const at of each.tested.full) {
          const { statusCode } = await tab.open(at)
          if (statusCode !== 404) wrong.push(`${at}: ${statusCode}`)
        }
        for (const [action, tested] of Object.entries(each.tested.forms)) {
          const sent = await validForm(each, action, tested)
          const { statusCode } = await sendForm(world.app, tab, { url: tested.at, sent, tested })
          if (statusCode !== 404) wrong.push(`${each.screen.name} ${action}: ${statusCode}`)
        }
      }
      if ((await shownAt(chief, each)).join() !== before.join()) wrong.push(`${each.screen.name} changed`)
    }
    expect(wrong).toEqual([])
  })

  it('are refused for things of another account', async () => {
    const wrong: string[] = []
    for (const each of ofSection('account')) {
      const before = await shownAt(tabOf('owner'), each)
      for (const [action, tested] of Object.entries(each.tested.forms)) {
        if (tested.unseen) continue
        const sent = (await validForm(each, action, tested)).map(([name, text]): Sent[number] => [
          name,
          name === 'username' ? 'a-loom-of-another' : text,
        ])
        await sendForm(world.app, stranger, { url: tested.at, sent, tested })
      }
      if ((await shownAt(tabOf('owner'), each)).join() !== before.join()) {
        wrong.push(`${each.screen.name} of the owner changed`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('are accepted from the ones who have them, with the same forms', async () => {
    const refused: string[] = []
    // What depends on what others change.
    const FIRST = ['order', 'price']
    // What takes away a thing that others need, or the one who sends them, comes last.
    const LAST = ['delete', 'remove', 'removeTier', 'cancel', 'leave', 'rename', 'ban', 'dismiss']
    const all = cases.flatMap((each) =>
      Object.entries(each.tested.forms).flatMap(([action, tested]) => (tested.unseen ? [] : { each, action, tested })),
    )
    const rank = ({ action }: { readonly action: string }) => (FIRST.includes(action) ? -2 : LAST.indexOf(action))
    for (const { each, action, tested } of all.toSorted((one, other) => rank(one) - rank(other))) {
      const tab = each.screen.section === 'admin' ? chief : tabOf(tested.by ?? 'owner')
      const form = await shownForm(world.app, tab, action, tested)
      // An earlier form has taken its button away.
      if (!form && !tested.isOfScript) continue
      const sent = filledIn(form, action, tested)
      const { statusCode, body } = await sendForm(world.app, tab, { url: tested.at, sent, tested })
      if (![200, 303].includes(statusCode)) {
        const [, alert = ''] = /role="alert"[^>]*><p>(.*?)<\/p>/.exec(body) ?? []
        refused.push(`${each.screen.name} ${action}: ${statusCode} ${alert}`)
      }
    }
    expect(refused).toEqual([])
  })
})
