// The editor of a page: it saves by itself, previews, and takes pictures. The form works without it. While a key is pressed nothing
// reads the whole text, so that typing into a long page stays as fast as the browser is.
import { keptTexts } from './kept-texts.js'
import { enterInOwnZone } from './local-time.js'
import { addToolbar } from './markdown-tools.js'
import { dataOf } from './page-data.js'
import { takePictures } from './pasted-pictures.js'

const QUIET_MS = 2_000
const MOST_MS = 10_000
const PREVIEW_MS = 600
const SECOND_MS = 1_000
const AGAIN_SECONDS = 10
/** Longer texts do not fit into the page about an ended session, in characters. */
const KEPT_LENGTH = 256 * 1_024
const FIELDS = /** @type {const} */ (['title', 'body', 'excerpt'])

/**
 * What the page gives: where the text is saved, or null when only people save it; where it is previewed, and what is said.
 *
 * @typedef {{ account: string, save: string | null, more: object, preview: string, profile: number,
 *   pictures?: import('./pasted-pictures.js').Pictures, texts: Record<string, string> }} Editor
 */

/**
 * Returns a function that makes markup of the service acceptable to a page that requires trusted types. Browsers without them take it as it is.
 *
 * @returns {(markup: string) => string}
 */
function htmlMaker() {
  /** @typedef {{ createPolicy(name: string, rules: object): { createHTML(markup: string): string } }} Types */
  const { trustedTypes } = /** @type {{ trustedTypes?: Types }} */ (/** @type {unknown} */ (globalThis))
  const policy = trustedTypes?.createPolicy('eep-preview', { createHTML: (/** @type {string} */ markup) => markup })
  return (markup) => policy?.createHTML(markup) ?? markup
}

/** @param {Editor} editor */
function startEditor({ account, save, more, preview, profile, pictures, texts }) {
  const form = /** @type {HTMLFormElement} */ (document.getElementById('text'))
  const area = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem('body'))
  const state = /** @type {HTMLElement} */ (form.querySelector('.state'))
  const alarm = /** @type {HTMLElement} */ (form.querySelector('[role=alert]'))
  const shown = /** @type {HTMLDetailsElement} */ (document.querySelector('[data-preview]'))
  const prose = /** @type {HTMLElement} */ (shown.querySelector('.prose'))
  const kept = keptTexts(account)
  const asHtml = htmlMaker()

  const inputOf = (/** @type {string} */ name) =>
    /** @type {HTMLInputElement | HTMLTextAreaElement} */ (form.elements.namedItem(name))
  const tagOf = () => inputOf('tag').value
  const textsNow = () => Object.fromEntries(FIELDS.map((name) => [name, inputOf(name).value]))

  /** The texts that the service has. */
  let saved = textsNow()
  let previewed = ''
  /** When the first key after the last save was pressed, in milliseconds; 0 while everything is saved. */
  let since = 0
  let isSaving = false
  /**
   * The button of a form that waits until the text was saved by itself, because that changes the tag.
   *
   * @type {HTMLElement | null}
   */
  let waiting = null
  /** Whether saving by itself has ended: another person saved, or the session is over. */
  let isStopped = save === null
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let saveTimer
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let previewTimer

  /**
   * Shows the state beside the button; a problem is announced, too.
   *
   * @param {string} text
   * @param {boolean} [isProblem]
   */
  function tell(text, isProblem = false) {
    state.textContent = text
    alarm.textContent = isProblem ? text : ''
  }

  /** @param {number} milliseconds */
  function saveIn(milliseconds) {
    clearTimeout(saveTimer)
    saveTimer = setTimeout(saveNow, milliseconds)
  }

  /**
   * Takes the tag and version of a save into all HTML forms, which would otherwise be refused as stale.
   *
   * @param {Response} answer
   * @param {Record<string, string>} sent
   */
  async function accept(answer, sent) {
    const tag = answer.headers.get('etag')
    const { version } = await answer.json().catch(() => ({}))
    const renew = (/** @type {string} */ name, /** @type {unknown} */ value) => {
      if (typeof value !== 'string' && typeof value !== 'number') return
      /** @type {NodeListOf<HTMLInputElement>} */
      const inputs = document.querySelectorAll(`input[type=hidden][name=${name}]`)
      for (const input of inputs) input.value = String(value)
    }
    renew('tag', tag)
    renew('version', version)
    saved = { ...saved, ...sent }
    kept.forget()
    if (since === 0) tell(texts.saved ?? '')
  }

  async function saveNow() {
    clearTimeout(saveTimer)
    if (isStopped || isSaving || save === null) return
    const now = textsNow()
    const sent = Object.fromEntries(Object.entries(now).filter(([name, text]) => text !== saved[name]))
    since = 0
    if (Object.keys(sent).length === 0) return tell(texts.saved ?? '')
    // A page needs a title, so that an empty one is saved with its first letter.
    if (now.title?.trim() === '') return tell(texts.untitled ?? '')
    isSaving = true
    tell(texts.saving ?? '')
    const fields = {
      ...sent,
      ...('title' in sent && { title: sent.title?.trim() }),
      ...(sent.excerpt?.trim() === '' && { excerpt: null }),
    }
    const answer = await fetch(save, {
      method: 'PUT',
      headers: { accept: 'application/json', 'content-type': 'application/json', 'if-match': tagOf() },
      body: JSON.stringify({ ...fields, ...more }),
    }).catch(() => undefined)
    if (answer?.ok) await accept(answer, sent)
    isSaving = false
    if (waiting) return form.requestSubmit(waiting)
    if (answer?.ok) {
      if (since > 0) saveIn(QUIET_MS)
      return
    }
    since ||= Date.now()
    if (answer?.status === 412 || answer?.status === 401) {
      isStopped = true
      kept.keep({ texts: now, tag: tagOf() })
      return tell((answer.status === 412 ? texts.changed : texts.signedOut) ?? '', true)
    }
    if (answer && answer.status < 500 && answer.status !== 429) return tell(texts.unsaved ?? '', true)
    tell((answer?.status === 429 ? texts.later : texts.offline) ?? '', answer?.status !== 429)
    saveIn((Number(answer?.headers.get('retry-after')) || AGAIN_SECONDS) * SECOND_MS)
  }

  async function previewNow() {
    const { title = '', body = '' } = textsNow()
    const version = `${title}\n${body}`
    if (!shown.open || version === previewed) return
    const answer = await fetch(preview, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ profile_id: profile, body, ...(title.trim() !== '' && { title: title.trim() }) }),
    }).catch(() => undefined)
    const json = answer?.ok ? await answer.json().catch(() => undefined) : undefined
    if (!json) {
      clearTimeout(previewTimer)
      previewTimer = setTimeout(previewNow, (Number(answer?.headers.get('retry-after')) || AGAIN_SECONDS) * SECOND_MS)
      return
    }
    previewed = version
    // The service has sanitised it, as it does for readers.
    prose.innerHTML = asHtml(json.html)
  }

  function previewSoon() {
    clearTimeout(previewTimer)
    previewTimer = setTimeout(previewNow, PREVIEW_MS)
  }

  // Runs for every key, so it must not read the text.
  form.addEventListener('input', ({ target }) => {
    const name = target instanceof Element ? target.getAttribute('name') : null
    if (name !== 'title' && name !== 'body' && name !== 'excerpt') return
    const now = Date.now()
    if (since === 0) {
      since = now
      if (!isStopped) tell(texts.typing ?? '')
    }
    saveIn(Math.min(QUIET_MS, Math.max(0, since + MOST_MS - now)))
    previewSoon()
  })
  form.addEventListener('submit', (event) => {
    clearTimeout(saveTimer)
    if (isSaving) {
      event.preventDefault()
      waiting = event.submitter
      return
    }
    isStopped = true
    const now = textsNow()
    // The text that was kept before is older than the one that is sent.
    if ((now.body?.length ?? 0) > KEPT_LENGTH || kept.read()) kept.keep({ texts: now, tag: tagOf() })
  })
  shown.addEventListener('toggle', previewSoon)

  const before = kept.read()
  if (before) {
    const isSame = FIELDS.every((name) => before.texts[name] === undefined || before.texts[name] === saved[name])
    if (isSame) kept.forget()
    else {
      for (const name of FIELDS) if (before.texts[name] !== undefined) inputOf(name).value = before.texts[name] ?? ''
      inputOf('tag').value = before.tag
      isStopped = true
      tell(texts.restored ?? '', true)
    }
  }
  shown.hidden = false
  const bar = addToolbar(area, texts)
  if (pictures) takePictures(area, bar, pictures, tell)
  const time = form.elements.namedItem('publish_at')
  if (time instanceof HTMLInputElement) enterInOwnZone(time, texts.zone ?? '')
}

const editor = dataOf('editor')
if (editor) startEditor(editor)
