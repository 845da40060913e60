// Uploads the files of a form one by one: two at a time, with progress, and cancelled or sent again on their own. The form works
// without it, with one file.
import { dataOf } from './page-data.js'

/** How many files are sent at the same time. */
const AT_ONCE = 2
const FALLBACK_WAIT_SECONDS = 10
const SECOND_MS = 1_000

/**
 * What a page gives: where and how its files are sent, and what is said. `codes` has the texts of refusals by their error codes.
 *
 * @typedef {{ url: string, method: string, fields: Record<string, string>, etag?: string, many: boolean, done: string,
 *   texts: Record<string, string>, codes: Record<string, string> }} Uploads
 */

/**
 * A file of the queue.
 *
 * @typedef {{ file: File, state: string, row: HTMLLIElement, bar: HTMLProgressElement, said: HTMLElement, button: HTMLButtonElement,
 *   xhr?: XMLHttpRequest }} Item
 */

/**
 * Returns the error code of an answer; an empty text for one that is not JSON of the service.
 *
 * @param {XMLHttpRequest} xhr
 */
function codeOf({ responseText }) {
  try {
    return String(JSON.parse(responseText).error?.code ?? '')
  } catch {
    return ''
  }
}

/** @param {Uploads} uploads */
function startUploads({ url, method, fields, etag, many, done, texts, codes }) {
  const form = /** @type {HTMLFormElement} */ (document.querySelector('form#upload'))
  const input = /** @type {HTMLInputElement} */ (form.querySelector('input[type=file]'))
  const list = /** @type {HTMLElement} */ (document.querySelector('[data-upload-list]'))
  const status = /** @type {HTMLElement} */ (document.querySelector('[data-upload-status]'))
  const said = /** @type {HTMLElement} */ (status.querySelector('[role=status]'))
  const reload = /** @type {HTMLAnchorElement} */ (status.querySelector('a'))
  /** @type {Item[]} */
  const items = []
  /** Whether something was typed into another HTML form, which a reload would lose. */
  let isTyped = false
  /** When the service takes uploads again, in milliseconds; 0 for now. */
  let pausedUntil = 0

  const count = (/** @type {string[]} */ ...states) => items.filter(({ state }) => states.includes(state)).length

  /** @param {string} text */
  const tell = (text) => {
    status.hidden = false
    if (said.textContent !== text) said.textContent = text
  }

  /**
   * @param {Item} item
   * @param {string} state - a name of `texts`
   * @param {string} [text] - Default: that of the state.
   */
  function show(item, state, text = texts[state] ?? '') {
    item.state = state
    item.row.dataset.state = state
    item.said.textContent = text
    const isOpen = state === 'waiting' || state === 'sending'
    item.button.hidden = state === 'stored'
    item.button.textContent = (isOpen ? texts.cancel : texts.again) ?? ''
    item.bar.hidden = !isOpen
  }

  /** Ends a file, and goes on with the next one. */
  function goOn() {
    const open = count('waiting', 'sending')
    if (open > 0) return next()
    const stored = count('stored')
    reload.hidden = stored === 0
    if (stored === 0 || stored < items.length || isTyped) {
      return tell((texts.ended ?? '').replace('{stored}', String(stored)).replace('{all}', String(items.length)))
    }
    tell(texts.allStored ?? '')
    location.assign(done)
  }

  /**
   * Waits as long as the service asks, and states that.
   *
   * @param {number} seconds
   */
  function pause(seconds) {
    const isPaused = pausedUntil > Date.now()
    pausedUntil = Math.max(pausedUntil, Date.now() + seconds * SECOND_MS)
    if (isPaused) return
    const tick = () => {
      const left = Math.ceil((pausedUntil - Date.now()) / SECOND_MS)
      if (left <= 0) return next()
      tell((texts.paused ?? '').replace('{seconds}', String(left)))
      setTimeout(tick, SECOND_MS)
    }
    tick()
  }

  /** @param {Item} item */
  function send(item) {
    const xhr = new XMLHttpRequest()
    item.xhr = xhr
    show(item, 'sending')
    item.bar.value = 0
    let isSent = false
    xhr.upload.addEventListener('progress', ({ loaded, total }) => {
      item.bar.value = total > 0 ? loaded / total : 0
    })
    xhr.upload.addEventListener('load', () => {
      isSent = true
    })
    xhr.addEventListener('load', () => {
      if (xhr.status === 429) {
        show(item, 'waiting')
        return pause(Number(xhr.getResponseHeader('retry-after')) || FALLBACK_WAIT_SECONDS)
      }
      const code = codeOf(xhr)
      if (xhr.status >= 200 && xhr.status < 300) show(item, 'stored')
      else show(item, 'refused', codes[code] ?? (xhr.status === 401 ? texts.signedOut : texts.refused))
      goOn()
    })
    xhr.addEventListener('error', () => {
      // Before its end was sent nothing of it is kept; after that only the answer is missing.
      show(item, isSent ? 'unsure' : 'cut')
      goOn()
    })
    xhr.addEventListener('abort', () => {
      show(item, 'cancelled')
      goOn()
    })
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    body.append('file', item.file, item.file.name)
    xhr.open(method, url)
    xhr.setRequestHeader('accept', 'application/json')
    if (etag) xhr.setRequestHeader('if-match', etag)
    xhr.send(body)
  }

  function next() {
    if (pausedUntil > Date.now()) return
    for (const item of items) {
      if (count('sending') >= AT_ONCE) break
      if (item.state === 'waiting') send(item)
    }
    if (count('sending') > 0) tell(texts.sending ?? '')
  }

  /** @param {File} file */
  function add(file) {
    const row = document.createElement('li')
    const name = document.createElement('bdi')
    const bar = document.createElement('progress')
    const said = document.createElement('small')
    const button = document.createElement('button')
    name.textContent = file.name
    bar.setAttribute('aria-label', file.name)
    button.type = 'button'
    button.className = 'quiet'
    said.id = `upload-${items.length}`
    button.setAttribute('aria-describedby', said.id)
    row.append(name, ' ', said, ' ', bar, ' ', button)
    list.append(row)
    /** @type {Item} */
    const item = { file, state: 'waiting', row, bar, said, button }
    items.push(item)
    show(item, 'waiting')
    button.addEventListener('click', () => {
      if (item.state === 'sending') return item.xhr?.abort()
      show(item, item.state === 'waiting' ? 'cancelled' : 'waiting')
      goOn()
    })
  }

  input.multiple = many
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    list.hidden = false
    for (const file of input.files ?? []) add(file)
    input.value = ''
    next()
  })
  document.addEventListener('input', ({ target }) => {
    isTyped ||= target instanceof Element && !form.contains(target)
  })
  addEventListener('beforeunload', (event) => {
    if (count('waiting', 'sending') > 0) event.preventDefault()
  })
}

/**
 * Shows the progress of a job until it ends, then the page as it is afterwards.
 *
 * @param {{ url: string, done: string }} job
 */
function watchJob({ url, done }) {
  const bar = /** @type {HTMLProgressElement} */ (document.querySelector('progress[data-job]'))
  const ask = async () => {
    const answer = await fetch(url, { headers: { accept: 'application/json' } }).catch(() => undefined)
    // Members of a team see only their own jobs.
    if (answer && [401, 403, 404].includes(answer.status)) return
    const job = answer?.ok ? await answer.json().catch(() => undefined) : undefined
    if (job) bar.value = job.progress
    if (job && job.status !== 'queued' && job.status !== 'running') return location.assign(done)
    const seconds = Number(answer?.headers.get('retry-after')) || 2
    setTimeout(ask, seconds * SECOND_MS)
  }
  void ask()
}

const uploads = dataOf('uploads')
if (uploads) startUploads(uploads)

const job = dataOf('job')
if (job) watchJob(job)
