import type { FastifyRequest } from 'fastify'
import type { ScreenTexts } from '../../../framework/module/screen.ts'
import { ACTION, textOf, textsNamed, WRITTEN_BY } from '../../../framework/module/screen-form.ts'
import { formView, hiddenHtml, titled } from '../../../http/html/form-view.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { signInPath } from '../../../http/html/sign-in-path.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { FORM_ID } from '../../../http/idempotency/send-once.ts'
import { consoleMessages } from './messages.ts'

/** The name of the hidden input of a form that is only shown again. */
const RESTORED = 'restored'

/** Whether a form comes from the page about an ended session, and is shown again without being processed. */
export const isRestored = (texts: ScreenTexts): boolean => textOf(texts, RESTORED) !== undefined

/**
 * The page for a form whose session has ended: it keeps the form in hidden inputs, with which the same account gets it back after signing
 * in, in another window. Nothing is processed.
 */
export function endedSessionView(request: FastifyRequest, path: string, texts: ScreenTexts): HtmlView {
  const { site } = request.eep
  const say = consoleMessages(site)
  const names = Object.keys(texts).filter((name) => name !== RESTORED)
  const signIn = signInPath(request, undefined)
  return formView({
    ...titled(site, say('sessionEnded')),
    problem: say('sessionEndedLead'),
    body: html`${signIn && html`<p><a class="btn" href="${hrefOn(site, signIn)}" target="_blank">${say('signInAgainHere')}</a></p>\n`}<form method="post" action="${hrefOn(site, path)}">${hiddenHtml(RESTORED, '1')}${names.map((name) => textsNamed(texts, name).map((text) => hiddenHtml(name, text)))}<p><button class="second" type="submit">${say('showForm')}</button></p></form>`,
  })
}

/** Writes texts to copy. */
const copiesHtml = (texts: ScreenTexts): Html =>
  html`${Object.entries(texts)
    .filter(([name]) => ![ACTION, FORM_ID, WRITTEN_BY, RESTORED].includes(name))
    .map(
      ([name]) =>
        html`<p><label for="kept-${name}"><bdi>${name}</bdi></label><textarea id="kept-${name}" rows="4" readonly dir="auto">
${textsNamed(texts, name).join('\n')}</textarea></p>\n`,
    )}`

/** The page for a form whose screen cannot be shown any more: its texts can be copied. */
export const lostFormView = (site: Site, texts: ScreenTexts, problem: string): HtmlView =>
  formView({
    ...titled(site, consoleMessages(site)('notSaved')),
    problem,
    lead: consoleMessages(site)('copyTexts'),
    body: copiesHtml(texts),
  })
