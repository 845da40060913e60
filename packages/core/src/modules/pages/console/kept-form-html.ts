import type { FastifyRequest } from 'fastify'
import type { ScreenTexts } from '../../../framework/module/screen.ts'
import { ACTION, textsNamed, WRITTEN_BY } from '../../../framework/module/screen-form.ts'
import { formView, hiddenHtml, titled } from '../../../http/html/form-view.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { signInPath } from '../../../http/html/sign-in-path.ts'
import { type HtmlView, hrefOn, type Site } from '../../../http/html/view.ts'
import { FORM_ID, isSecretInput } from '../../../http/idempotency/send-once.ts'
import { consoleMessages } from './messages.ts'

/**
 * The page for a form whose session has ended. `kept` are the hidden inputs with which the same account gets the form back after signing
 * in, in another window. Without them, its texts can be copied. Nothing is processed.
 */
export function endedSessionView(
  request: FastifyRequest,
  { path, texts, kept }: { path: string; texts: ScreenTexts; kept: Readonly<Record<string, string>> | undefined },
): HtmlView {
  const { site } = request.eep
  const say = consoleMessages(site)
  const signIn = signInPath(request, kept ? undefined : path)
  const again =
    kept &&
    html`<form method="post" action="${hrefOn(site, path)}">${Object.entries(kept).map(([name, value]) => hiddenHtml(name, value))}<p><button class="second" type="submit">${say('showForm')}</button></p></form>`
  return formView({
    ...titled(site, say('sessionEnded')),
    problem: say(kept ? 'sessionEndedLead' : 'sessionEndedCopy'),
    body: html`${signIn && html`<p><a class="btn" href="${hrefOn(site, signIn)}" target="_blank">${say('signInAgainHere')}</a></p>\n`}${again ?? copiesHtml(texts)}`,
  })
}

/** Writes texts to copy. */
const copiesHtml = (texts: ScreenTexts): Html =>
  html`${Object.entries(texts)
    .filter(([name]) => ![ACTION, FORM_ID, WRITTEN_BY].includes(name) && !isSecretInput(name))
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
