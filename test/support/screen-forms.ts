import { randomUUID } from 'node:crypto'
import { wavOf } from '@eep/core/testing'
import type { TestApp } from './app.ts'
import type { FormCase } from './every-screen.ts'
import { field, formOf as multipartOf, PNG } from './files.ts'
import { formsOf, type PageForm, sentOf } from './html-forms.ts'
import type { openBrowser } from './pages.ts'

export type Tab = ReturnType<typeof openBrowser>

/** The texts of a form in their order. */
export type Sent = readonly (readonly [name: string, text: string])[]

/** The HTML form that a case fills in; undefined when the page has none. */
export const formFor = (
  { body }: { readonly body: string },
  action: string,
  { among = {} }: FormCase,
): PageForm | undefined =>
  formsOf(body).find(
    ({ actions, inputs }) =>
      actions.includes(action) &&
      Object.entries(among).every(([name, value]) =>
        inputs.some((input) => input.name === name && input.value === value),
      ),
  )

/** What a browser sends of a form that a person has filled in, with a new id. */
export function filledIn(form: PageForm | undefined, action: string, { fields = {} }: FormCase): Sent {
  const entered = Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value): readonly [string, string] => [name, value]),
  )
  const kept = form ? sentOf(form).filter(([name]) => !Object.hasOwn(fields, name) && name !== 'form_id') : []
  return [...kept, ...entered, ['form_id', randomUUID()], ['do', action]]
}

/** The form of a case as the page has it for a person; undefined when it has none. */
export async function shownForm(
  app: Pick<TestApp, 'inject'>,
  tab: Tab,
  action: string,
  tested: FormCase,
): Promise<PageForm | undefined> {
  const page = await tab.open(tested.at)
  const { after } = tested
  if (!after) return formFor(page, action, tested)
  const first = { at: tested.at, fields: after.fields }
  const sent = filledIn(formFor(page, after.action, first), after.action, first)
  return formFor(await sendForm(app, tab, { url: tested.at, sent, tested: first }), action, tested)
}

/** Sends a form as a browser without script does, with its file if the case has one. */
export async function sendForm(
  app: Pick<TestApp, 'inject'>,
  { jar }: Pick<Tab, 'jar'>,
  to: {
    readonly url: string
    readonly sent: Sent
    readonly tested: FormCase
    readonly headers?: Record<string, string>
  },
) {
  const { url, sent, tested, headers: more = {} } = to
  const { file } = tested
  const common = { accept: 'text/html', origin: 'https://profiles.example', ...more }
  const body = file
    ? multipartOf([
        ...sent.map(([name, text]) => field(name, text)),
        {
          name: file.input,
          filename: file.name === 'picture' ? 'loom.png' : 'talk.wav',
          type: 'application/octet-stream',
          content: file.name === 'picture' ? PNG : wavOf(1),
        },
      ])
    : {
        payload: new URLSearchParams(sent.map(([name, text]): [string, string] => [name, text])).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }
  const response = await app.inject({
    method: 'POST',
    url,
    payload: body.payload,
    cookies: jar,
    headers: { ...common, ...body.headers },
  })
  for (const { name, value } of response.cookies) jar[name] = value
  return response
}

/** A page as it is compared: without ids of forms, which are new on each, and without times. */
export const comparable = ({ body }: { readonly body: string }): string =>
  body.replaceAll(/name="form_id" value="[^"]*"/g, 'name="form_id"')
