import { defineError } from '@eep/core/module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserOf } from '../../support/console.ts'
import { casesOf, type FormCase } from '../../support/every-screen.ts'
import { formsOf, type PageForm, sentOf } from '../../support/html-forms.ts'
import { openBrowser } from '../../support/pages.ts'
import { filledIn, type Sent, sendForm, shownForm, type Tab } from '../../support/screen-forms.ts'
import { openScreens, openScreenWorld, type ScreenWorld } from '../../support/screen-world.ts'

let world: ScreenWorld
let strict: Awaited<ReturnType<typeof openScreens>>
let owner: Tab
let chief: Tab
let viewer: Tab
let forms: readonly Tested[]

beforeAll(async () => {
  world = await openScreenWorld()
  // The same service with a limit that is reached by the first request of a minute.
  strict = await openScreens({ storage: world.another(), limits: { rateLimit: { multiplier: 0.0001 } } })
  owner = await browserOf(world.app, world.owner)
  chief = await browserOf(world.app, world.chief)
  viewer = await browserOf(world.app, world.people.get('viewer') ?? world.owner)
  forms = await readForms()
})
afterAll(async () => {
  await strict.close()
  await world.close()
})

interface Tested {
  readonly name: string
  readonly path: string
  readonly action: string
  readonly tested: FormCase
  readonly tab: Tab
  readonly form: PageForm
}

/** The forms of all screens as the person who has them sees them. Nothing changes them: they are all refused. */
async function readForms(): Promise<readonly Tested[]> {
  const found: Tested[] = []
  for (const { screen, tested: of } of casesOf(world)) {
    for (const [action, tested] of Object.entries(of.forms)) {
      if (tested.isOfScript || tested.unseen) continue
      const tab = screen.section === 'admin' ? chief : tested.by === 'viewer' ? viewer : owner
      const form = await shownForm(world.app, tab, action, tested)
      if (!form) throw new Error(`${screen.name} has no form for "${action}"`)
      const path = screen.path.replaceAll(/:(\w+)/g, '{$1}')
      found.push({ name: `${screen.name} ${action}`, path, action, tested, tab, form })
    }
  }
  return found
}

/** What no person enters, or confirms again. */
const OF_THE_FORM = new Set(['do', 'form_id', 'written_by', 'confirm'])
const entered = (sent: Sent) =>
  sent
    .filter(([name]) => !OF_THE_FORM.has(name))
    .map(([name, text]) => `${name}=${text}`)
    .sort()

/** The differences of a page from the form that it has to show again; empty without any. */
function lostOf({ body }: { readonly body: string }, sent: Sent): readonly string[] {
  const id = sent.find(([name]) => name === 'form_id')?.[1]
  const again = formsOf(body).filter(({ inputs }) =>
    inputs.some(({ name, value }) => name === 'form_id' && value === id),
  )
  const [form] = again
  if (again.length !== 1 || !form) return [`${again.length} forms with its id`]
  const now = entered(sentOf(form))
  const then = entered(sent)
  return [
    ...then.filter((each) => !now.includes(each)),
    ...now.filter((each) => !then.includes(each)).map((each) => `+${each}`),
  ]
}

/** Another value for each input of a form, whether or not it is one that the screen takes. */
function scribbled(form: PageForm, action: string, { among = {} }: FormCase): Sent {
  const radios = new Map<string, string>()
  for (const { name, type, value, isSent } of form.inputs) if (type === 'radio' && !isSent) radios.set(name, value)
  const texts = form.inputs.flatMap(
    ({ name, type, value, isSent, choices }): readonly (readonly [string, string])[] => {
      if (type === 'hidden' || Object.hasOwn(among, name)) return isSent && name !== 'form_id' ? [[name, value]] : []
      if (type === 'file' || type === 'radio') return []
      if (type === 'checkbox') return isSent ? [] : [[name, value]]
      if (type === 'select') return [[name, choices.at(-1) ?? '']]
      if (type === 'date') return [[name, '2031-02-03']]
      if (type === 'datetime-local') return [[name, '2031-02-03T04:05']]
      if (type === 'number') return [[name, '17']]
      if (type === 'color') return [[name, '#123456']]
      return [[name, type === 'textarea' ? 'kept <&"\'>\n\n  two' : 'kept <&"\'>']]
    },
  )
  return [...texts, ...radios, ...filledIn(undefined, action, { at: '' })]
}

describe('every form of every screen', () => {
  it.each([409, 412, 422, 500])('keeps what was entered when it is refused with %i', async (status) => {
    const refusal = defineError(`screens_refused_${status}`, status, 'Not now')
    const lost: string[] = []
    let refused = 0
    const { paths } = (await world.app.inject('/docs/openapi.json')).json<{
      paths: Record<string, { post?: { responses: Record<string, unknown> } }>
    }>()
    for (const { name, path, action, tested, tab, form } of forms) {
      if (tested.changesNothing) continue
      if (paths[path]?.post?.responses[status] === undefined && status !== 500) continue
      const sent = filledIn(form, action, tested)
      const answer = await world.failing(
        () => (status === 500 ? new Error('The disk is full') : refusal()),
        () => sendForm(world.app, tab, { url: tested.at, sent, tested }),
      )
      refused += 1
      const wrong = [...(answer.statusCode === status ? [] : [String(answer.statusCode)]), ...lostOf(answer, sent)]
      if (!/role="alert"/.test(answer.body)) wrong.push('no alert')
      if (wrong.length > 0) lost.push(`${name}: ${wrong.join(' ')}`)
    }
    expect(lost).toEqual([])
    expect(refused).toBeGreaterThan(10)
  })

  it('keeps what was entered when too many requests were sent', async () => {
    const lost: string[] = []
    for (const { name, action, tested, tab, form } of forms) {
      const sent = scribbled(form, action, tested)
      // The one request that a minute has.
      await strict.app.inject({ url: '/auth/me', cookies: tab.jar })
      const answer = await sendForm(strict.app, tab, { url: tested.at, sent, tested })
      const wrong = [...(answer.statusCode === 429 ? [] : [String(answer.statusCode)]), ...lostOf(answer, sent)]
      if (wrong.length > 0) lost.push(`${name}: ${wrong.join(' ')}`)
    }
    expect(lost).toEqual([])
  })

  it('is kept while its session has ended, and shown again after signing in', async () => {
    const lost: string[] = []
    for (const { name, action, tested, tab, form } of forms) {
      const sent = scribbled(form, action, tested)
      // Forms with files are not read when the sender is not signed in.
      const ended = await sendForm(world.app, openBrowser(world.app), {
        url: tested.at,
        sent,
        tested: { at: tested.at },
      })
      const [kept] = formsOf(ended.body)
      const wrong =
        ended.statusCode === 401 && ended.headers['cache-control'] === 'private, no-store'
          ? []
          : [String(ended.statusCode)]
      if (!kept) wrong.push('no form')
      else {
        const restored = await sendForm(world.app, tab, {
          url: kept.action,
          sent: sentOf(kept),
          tested: { at: tested.at },
        })
        wrong.push(...(restored.statusCode === 200 ? [] : [String(restored.statusCode)]), ...lostOf(restored, sent))
      }
      if (wrong.length > 0) lost.push(`${name}: ${wrong.join(' ')}`)
    }
    expect(lost).toEqual([])
  })

  it('leads to the sign-in and back to its screen', async () => {
    const wrong: string[] = []
    for (const { screen, tested } of casesOf(world)) {
      for (const at of tested.full) {
        const { statusCode, headers } = await openBrowser(world.app).open(at)
        const to = `/login?next=${encodeURIComponent(at)}`
        if (statusCode !== 303 || headers.location !== to)
          wrong.push(`${screen.name}: ${statusCode} ${headers.location}`)
      }
    }
    expect(wrong).toEqual([])
  })
})
