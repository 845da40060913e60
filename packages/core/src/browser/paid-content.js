// Keeps content that is paid for one request: shows media, and saves everything else. Nothing of it becomes part of the document.

const NAME = /filename\*=UTF-8''([^;]+)|filename="?([^";]*)/i

/** @param {Response} answer */
function nameOf(answer) {
  const [, encoded, plain] = NAME.exec(answer.headers.get('content-disposition') ?? '') ?? []
  try {
    return encoded === undefined ? plain : decodeURIComponent(encoded)
  } catch {
    return plain
  }
}

/**
 * Returns the element that shows a type of media; undefined for what browsers only save.
 *
 * @param {string} type
 * @returns {HTMLImageElement | HTMLMediaElement | undefined}
 */
function viewerOf(type) {
  if (/^image\/(?:png|jpeg|gif|webp|avif)$/.test(type)) return document.createElement('img')
  const [kind] = type.split('/')
  if (kind !== 'audio' && kind !== 'video') return undefined
  const player = document.createElement(kind)
  player.controls = true
  return player
}

/**
 * Offers to save the file at the address of the page, once it is open to this browser.
 *
 * @param {Record<string, string>} texts
 */
export function offerFile(texts) {
  const link = document.createElement('a')
  link.className = 'btn'
  link.href = location.href
  link.download = ''
  link.textContent = texts.save ?? ''
  document.querySelector('[data-paid-content]')?.replaceChildren(link)
  for (const tier of document.querySelectorAll('[data-offers] button')) tier.remove()
}

/**
 * Keeps the bytes of an answer in the page: shows them by their type, and offers to save them as often as the person wants.
 *
 * @param {Response} answer
 * @param {Record<string, string>} texts
 */
export async function keepAnswer(answer, texts) {
  const bytes = await answer.blob()
  const [type = ''] = bytes.type.split(';')
  // A blob has the origin of the page, so one that could run is kept as plain bytes.
  const viewer = viewerOf(type)
  const url = URL.createObjectURL(viewer ? bytes : new Blob([bytes], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.className = 'btn'
  link.href = url
  link.download = nameOf(answer) || 'content'
  link.textContent = texts.save ?? ''
  const place = /** @type {HTMLElement} */ (document.querySelector('[data-paid-content]'))
  if (viewer) viewer.src = url
  place.replaceChildren(...(viewer ? [viewer] : []), link)
  for (const tier of document.querySelectorAll('[data-offers] button')) tier.remove()
  if (!viewer) link.click()
  else link.focus()
}
