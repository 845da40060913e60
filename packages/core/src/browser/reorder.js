// Orders the pages of a list by dragging, with a pointer or with the arrow keys. The list has buttons that do it without a script.
import { dataOf } from './page-data.js'

/** A random UUID; `crypto.randomUUID` exists on secure pages only. */
function newFormId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  // The version and the variant.
  bytes.set([0x40 | (Number(bytes[6]) & 0x0f)], 6)
  bytes.set([0x80 | (Number(bytes[8]) & 0x3f)], 8)
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** @param {{ url: string, by: string, texts: Record<string, string> }} reorder */
function startReorder({ url, by, texts }) {
  const status = /** @type {HTMLElement} */ (document.querySelector('[data-order-status]'))

  /** @param {HTMLElement} list */
  function start(list) {
    const rows = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll('[data-page]')])
    const ids = () => rows().map((row) => row.dataset.page ?? '')
    const body = rows()[0]?.parentElement
    if (!body || rows().length < 2) return
    let saved = ids()
    /** Saves run one after another, each for the order that the one before it made. */
    let saving = Promise.resolve()

    const tell = (/** @type {string} */ text) => {
      status.hidden = false
      status.textContent = text
    }

    /** @param {readonly string[]} order */
    const arrange = (order) => {
      for (const id of order) {
        const row = rows().find(({ dataset }) => dataset.page === id)
        if (row) body.append(row)
      }
    }

    /**
     * Moves a row before the one at a place. The others move around it: an element that is taken out loses the pointer and the focus.
     *
     * @param {HTMLElement} row
     * @param {number} from
     * @param {number} to
     */
    const moveTo = (row, from, to) => {
      const all = rows()
      if (to < from) row.after(...all.slice(to, from))
      else row.before(...all.slice(from + 1, to))
    }

    async function save() {
      const wanted = ids()
      if (wanted.join() === saved.join()) return
      const fields = { do: 'order', form_id: newFormId(), written_by: by, place: list.dataset.place ?? '' }
      const answer = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: { accept: 'text/html' },
        body: new URLSearchParams({ ...fields, was: saved.join(), ids: wanted.join() }),
      }).catch(() => undefined)
      // The redirect after a form that was accepted is not followed.
      if (answer?.type === 'opaqueredirect') {
        saved = wanted
        return tell(texts.saved ?? '')
      }
      arrange(saved)
      tell((answer?.status === 412 ? texts.notMoved : texts.failed) ?? '')
    }
    const saveNext = () => {
      saving = saving.then(save)
    }

    /** @param {HTMLElement} row */
    const sayPlace = (row) => {
      const all = rows()
      const place = String(all.indexOf(row) + 1)
      tell((texts.movedTo ?? '').replace('{place}', place).replace('{count}', String(all.length)))
    }

    for (const row of rows()) {
      const handle = document.createElement('button')
      handle.type = 'button'
      handle.className = 'quiet grip'
      handle.textContent = '⠿'
      handle.title = texts.keys ?? ''
      handle.setAttribute('aria-label', row.dataset.drag ?? '')
      row.querySelector('th')?.prepend(handle)
      for (const form of row.querySelectorAll('form:has([name=do]:is([value=up],[value=down]))')) form.remove()
      handle.addEventListener('keydown', (event) => {
        const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
        const all = rows()
        const from = all.indexOf(row)
        if (step === 0) return
        event.preventDefault()
        if (!all[from + step]) return
        moveTo(row, from, step < 0 ? from - 1 : from + 2)
        sayPlace(row)
        saveNext()
      })
      handle.addEventListener('pointerdown', (event) => {
        if (event.button !== 0) return
        event.preventDefault()
        handle.focus()
        handle.setPointerCapture(event.pointerId)
        row.classList.add('dragged')
        const move = (/** @type {PointerEvent} */ { clientY }) => {
          const all = rows()
          const next = all.findIndex((each) => {
            const { top, height } = each.getBoundingClientRect()
            return each !== row && clientY < top + height / 2
          })
          moveTo(row, all.indexOf(row), next < 0 ? all.length : next)
        }
        const end = () => {
          handle.removeEventListener('pointermove', move)
          row.classList.remove('dragged')
          sayPlace(row)
          saveNext()
        }
        handle.addEventListener('pointermove', move)
        handle.addEventListener('lostpointercapture', end, { once: true })
      })
    }
  }

  for (const list of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-place]'))) start(list)
}

const reorder = dataOf('reorder')
if (reorder) startReorder(reorder)
