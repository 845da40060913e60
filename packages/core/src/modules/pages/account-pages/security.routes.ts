import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { createForms } from '../../../http/html/account-forms.ts'
import { fieldHtml, formView, hiddenHtml, type PageState, titled } from '../../../http/html/form-view.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { type PageAnswer, requireWithinLimit, sendPage } from '../../../http/html/html-forms.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { goTo, goToSignIn, pageConfig, visitorOf } from '../../../http/html/visits.ts'
import { clientOf } from '../../../http/pipeline/client-address.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import type { Caller } from '../../../model/caller.ts'
import { dayText } from '../../../model/day-text.ts'
import type { Passkey } from '../../../ports/storage/passkeys.ts'
import {
  DELETION_ERRORS,
  deletePasskeyBody,
  type PasskeyService,
  passkeyNotFound,
  renamePasskeyBody,
} from '../../people/passkeys/index.ts'
import { passkeyMessages, problemMessages } from './messages.ts'
import { passkeyStatusHtml } from './passkey-html.ts'
import { readForm, refusedForm } from './read-form.ts'

const SECURITY_PATH = '/account/security'
const MAX_NAME = 64
const MAX_PASSWORD = 1_024

const NOTICES = {
  added: 'doneAdded',
  renamed: 'doneRenamed',
  deleted: 'doneDeleted',
  all_deleted: 'doneAllDeleted',
} as const

const query = z.object({
  done: z
    .enum(['added', 'renamed', 'deleted', 'all_deleted'])
    .optional()
    .catch(undefined)
    .describe('The action that led here'),
})

const doneHref = (site: Site, done: keyof typeof NOTICES) => hrefOn(site, `${SECURITY_PATH}?done=${done}`)

function passkeyHtml(site: Site, { id, name, createdAt, lastUsedAt }: Passkey): Html {
  const say = passkeyMessages(site)
  const used = lastUsedAt ? say('used', { day: dayText(site, lastUsedAt) }) : say('neverUsed')
  const label = { name: 'name', id: `name-${id}`, label: say('name'), autocomplete: 'off', maxLength: MAX_NAME }
  const password = { name: 'password', id: `password-${id}`, label: say('password'), type: 'password' } as const
  return html`<li><p><strong><bdi>${name}</bdi></strong></p>
<p class="soft">${say('added', { day: dayText(site, createdAt) })} · ${used}</p>
<details><summary>${say('edit')}</summary>
<form method="post" action="${hrefOn(site, `${SECURITY_PATH}/rename`)}">${hiddenHtml('id', id)}${fieldHtml({ ...label, value: name })}<p><button class="second" type="submit">${say('rename')}</button></p></form>
<form method="post" action="${hrefOn(site, `${SECURITY_PATH}/delete`)}">${hiddenHtml('id', id)}${fieldHtml({ ...password, autocomplete: 'current-password', maxLength: MAX_PASSWORD, hint: say('deleteHint') })}<p><button type="submit">${say('delete')}</button></p></form>
<form data-passkey="delete" data-id="${id}" data-done="${doneHref(site, 'deleted')}" hidden><p><button class="second" type="submit">${say('deleteByPasskey')}</button></p></form>
</details></li>\n`
}

/** The input for the password that confirms a change of passkeys. */
const confirmationHtml = (site: Site, id: string, hint: string, isRequired: boolean) =>
  fieldHtml({
    name: 'password',
    id,
    label: passkeyMessages(site)('password'),
    type: 'password',
    autocomplete: 'current-password',
    maxLength: MAX_PASSWORD,
    hint,
    isRequired,
  })

interface SecurityPage extends PageState {
  readonly passkeys: readonly Passkey[]
  /** Whether the account has a password, which then confirms changes. */
  readonly hasPassword: boolean
}

/** The page with the passkeys of an account. Its script adds passkeys; they are renamed and deleted without script. */
function securityView(site: Site, { passkeys, hasPassword, ...state }: SecurityPage): HtmlView {
  const say = passkeyMessages(site)
  const hasSome = passkeys.length > 0
  const name = { name: 'name', label: say('newName'), autocomplete: 'off', hint: say('newNameHint'), isRequired: false }
  return {
    ...formView({
      ...titled(site, say('title')),
      ...state,
      body: html`<h2>${say('passkeys')}</h2>
<p>${say('lead')}</p>
${
  hasSome
    ? html`<ul class="tiers">${passkeys.map((passkey) => passkeyHtml(site, passkey))}</ul>`
    : html`<p>${say('none')}</p>`
}
${passkeyStatusHtml(site)}
<form data-passkey="add" data-done="${doneHref(site, 'added')}"${hasSome && html` data-confirms`} hidden><h2>${say('addTitle')}</h2>
${fieldHtml({ ...name, maxLength: MAX_NAME })}${hasPassword && confirmationHtml(site, 'add-password', say(hasSome ? 'addHintOrPasskey' : 'addHint'), !hasSome)}<p><button type="submit">${say('add')}</button></p></form>
<noscript><p class="soft">${say('noScript')}</p></noscript>
${
  hasPassword &&
  passkeys.length > 1 &&
  html`<details><summary>${say('deleteAll')}</summary>
<form method="post" action="${hrefOn(site, `${SECURITY_PATH}/delete-all`)}">${confirmationHtml(site, 'all-password', say('deleteHint'), true)}<p><button type="submit">${say('deleteAll')}</button></p></form>
</details>`
}`,
    }),
    hasScript: true,
  }
}

export interface SecurityPages {
  readonly passkeys: Pick<PasskeyService, 'hasPassword' | 'list' | 'rename' | 'remove' | 'removeAll'>
  readonly ownOrigins: ReadonlySet<string>
}

/** Routes of the page with the passkeys of an account. */
export function securityPages(app: EepRoutes, { passkeys, ownOrigins }: SecurityPages): void {
  const { accountForm } = createForms(app, ownOrigins)

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    state: PageState,
    answer?: PageAnswer | number | undefined,
  ) {
    const page = { passkeys: await passkeys.list(caller), hasPassword: await passkeys.hasPassword(caller), ...state }
    return sendPage(request, reply, securityView(request.eep.site, page), answer)
  }

  /** Performs the action of a form and shows the page again, with what was done or what went wrong. */
  async function submit(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    done: keyof typeof NOTICES,
    act: () => Promise<unknown>,
  ) {
    try {
      requireWithinLimit(request)
      await act()
    } catch (error) {
      const { answer, problem } = refusedForm(request.eep.site, error)
      return send(request, reply, caller, { problem }, answer)
    }
    return goTo(request, reply, `${SECURITY_PATH}?done=${done}`)
  }

  app.get(
    SECURITY_PATH,
    {
      config: pageConfig({
        operationId: 'getSecurityPage',
        summary: 'Get the page with the passkeys of the account',
      }),
      schema: { querystring: query, response: { 200: z.string(), 303: z.undefined() } },
    },
    async (request, reply) => {
      const caller = visitorOf(request)
      if (!caller) return goToSignIn(request, reply)
      const { done } = request.query
      return send(request, reply, caller, { notice: done && passkeyMessages(request.eep.site)(NOTICES[done]) })
    },
  )

  accountForm(
    {
      path: `${SECURITY_PATH}/rename`,
      page: SECURITY_PATH,
      operationId: 'submitPasskeyRename',
      errors: [passkeyNotFound],
      summary: 'Rename a passkey (HTML form)',
    },
    async (request, reply, { caller, texts: { id = '', name = '' } }) => {
      const form = readForm(request.eep.site, renamePasskeyBody, { name })
      if (form.problem) {
        return send(request, reply, caller, { problem: passkeyMessages(request.eep.site)('nameRule') }, 400)
      }
      return submit(request, reply, caller, 'renamed', () => passkeys.rename(caller, id, form.values.name))
    },
  )

  accountForm(
    {
      path: `${SECURITY_PATH}/delete`,
      page: SECURITY_PATH,
      limit: 'auth',
      operationId: 'submitPasskeyDeletion',
      errors: [passkeyNotFound, ...DELETION_ERRORS],
      summary: 'Delete a passkey with the password, and end all other sessions (HTML form)',
    },
    async (request, reply, { caller, texts: { id = '', password = '' } }) => {
      const form = readForm(request.eep.site, deletePasskeyBody, { password })
      if (form.problem && !request.eep.limited) {
        await request.eep.giveBack?.(reply)
        return send(request, reply, caller, { problem: problemMessages(request.eep.site)('wrongPassword') }, 400)
      }
      return submit(request, reply, caller, 'deleted', () =>
        passkeys.remove(caller, id, { password, from: clientOf(request) }),
      )
    },
  )

  accountForm(
    {
      path: `${SECURITY_PATH}/delete-all`,
      page: SECURITY_PATH,
      limit: 'auth',
      operationId: 'submitPasskeysDeletion',
      errors: DELETION_ERRORS,
      summary: 'Delete all passkeys with the password, and end all other sessions (HTML form)',
    },
    async (request, reply, { caller, texts: { password = '' } }) => {
      return submit(request, reply, caller, 'all_deleted', () =>
        passkeys.removeAll(caller, { password: password.slice(0, MAX_PASSWORD), from: clientOf(request) }),
      )
    },
  )
}
