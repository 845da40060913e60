// Shows new sales on the screen of sales as they come. Without it, the screen shows them when it is loaded again.
import { dataOf } from './page-data.js'

const SALES = '[data-sales]'

/** The receipts that a page lists. */
const receiptsIn = (/** @type {ParentNode} */ page) =>
  /** @type {HTMLElement[]} */ ([...page.querySelectorAll('[data-sale]')]).map(({ dataset }) => dataset.sale ?? '')

/**
 * Reads the page again. The browser parses it: the policy of pages lets no script make a page of a text.
 *
 * @returns {Promise<Document | undefined>} undefined when the session has ended, or the service does not answer with the page
 */
const readPage = () =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('GET', location.href)
    request.setRequestHeader('accept', 'text/html')
    request.responseType = 'document'
    request.onload = () => {
      const isSame = request.status === 200 && request.responseURL === location.href.split('#')[0]
      resolve(isSame ? (request.responseXML ?? undefined) : undefined)
    }
    request.onerror = () => reject(new Error('offline'))
    request.send()
  })

/** @param {{ url: string, types: readonly string[], texts: Record<string, string> }} live */
function startLive({ url, types, texts }) {
  const status = /** @type {HTMLElement} */ (document.querySelector('[data-live-status]'))
  /** @type {EventSource | undefined} */
  let stream
  /** Reads run one after another; of those that wait, one is enough. */
  let isReading = false
  let isStale = false

  /** Shows the sales of a newer page, unless a person is filling in a form between them: then it links to the page. */
  function show(/** @type {Document} */ page) {
    const list = document.querySelector(SALES)
    const fresh = page.querySelector(SALES)
    if (!list || !fresh) return
    const known = new Set(receiptsIn(list))
    if (receiptsIn(fresh).every((receipt) => known.has(receipt))) return
    const isInUse = list.querySelector('details[open]') !== null || list.contains(document.activeElement)
    if (isInUse) {
      const link = document.createElement('a')
      link.href = location.href
      link.textContent = texts.waiting ?? ''
      status.replaceChildren(link)
    } else {
      list.replaceWith(document.adoptNode(fresh))
      status.textContent = texts.shown ?? ''
    }
    status.hidden = false
  }

  async function read() {
    isStale = true
    if (isReading) return
    isReading = true
    try {
      while (isStale) {
        isStale = false
        const page = await readPage()
        // A session that ended leads to the sign-in page; the screen states it when it is used.
        if (!page) return stop()
        show(page)
      }
    } catch {
      // Offline: the stream connects again, and the next sale shows this one too.
    } finally {
      isReading = false
    }
  }

  function stop() {
    stream?.close()
    stream = undefined
  }

  function start() {
    if (stream) return
    stream = new EventSource(url)
    for (const type of [...types, 'reset']) stream.addEventListener(type, () => void read())
  }

  // Each account has few streams: a page in the background gives its own back, and reads what it missed afterwards.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return stop()
    start()
    void read()
  })
  if (!document.hidden) start()
}

const live = dataOf('live')
if (live) startLive(live)
