// Pictures that are pasted or dropped into a text: each becomes a file of the profile, with a description, and a link in the text.
import { writeText } from './markdown-tools.js'

/**
 * Where pictures are sent, and what is said.
 *
 * @typedef {{ url: string, file: string, fields: Record<string, string>, texts: Record<string, string>, codes: Record<string, string> }} Pictures
 */

/** @param {DataTransfer | null} data */
const picturesIn = (data) => [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'))

/** @param {string} text */
const asAlt = (text) =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[[\]\\]/g, '\\$&')
    .trim()

/**
 * Takes pictures for a text.
 *
 * @param {HTMLTextAreaElement} area
 * @param {HTMLElement} bar - the toolbar, which gets a button
 * @param {Pictures} pictures
 * @param {(text: string, isProblem?: boolean) => void} inform
 */
export function takePictures(area, bar, { url, file: fileUrl, fields, texts, codes }, inform) {
  const dialog = document.createElement('dialog')
  const form = document.createElement('form')
  const label = document.createElement('label')
  const input = document.createElement('input')
  const name = document.createElement('p')
  const buttons = document.createElement('p')
  form.method = 'dialog'
  input.maxLength = 1_000
  input.id = 'picture-alt'
  label.htmlFor = input.id
  label.textContent = texts.alt ?? ''
  buttons.className = 'acts'
  for (const [value, className] of [
    ['insert', ''],
    ['skip', 'second'],
  ]) {
    const button = document.createElement('button')
    button.value = value ?? ''
    button.className = className ?? ''
    button.textContent = texts[value ?? ''] ?? ''
    buttons.append(button)
  }
  form.append(name, label, input, buttons)
  dialog.append(form)
  document.body.append(dialog)

  /**
   * Asks what a picture shows.
   *
   * @param {File} picture
   * @returns {Promise<string | undefined>} undefined when the person does not want it
   */
  const ask = (picture) =>
    new Promise((resolve) => {
      name.textContent = picture.name
      input.value = ''
      dialog.returnValue = ''
      dialog.addEventListener(
        'close',
        () => resolve(dialog.returnValue === 'insert' ? input.value.trim() : undefined),
        {
          once: true,
        },
      )
      dialog.showModal()
    })

  /** @param {File} picture */
  async function take(picture) {
    const alt = await ask(picture)
    area.focus()
    if (alt === undefined) return
    inform(texts.uploading ?? '')
    const body = new FormData()
    for (const [field, value] of Object.entries(fields)) body.append(field, value)
    body.append('file', picture, picture.name)
    const headers = { accept: 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined)
    const json = await answer?.json().catch(() => undefined)
    if (!answer?.ok || typeof json?.id !== 'number') return inform(codes[json?.error?.code] ?? texts.failed ?? '', true)
    writeText(area, `![${asAlt(alt)}](/files/${json.id})`)
    inform(texts.uploaded ?? '')
    if (alt === '') return
    const described = await fetch(`${fileUrl}/${json.id}`, {
      method: 'PATCH',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ alt }),
    }).catch(() => undefined)
    if (!described?.ok) inform(texts.undescribed ?? '', true)
  }

  /** @param {readonly File[]} files */
  async function takeAll(files) {
    for (const picture of files) await take(picture)
  }

  area.addEventListener('paste', (event) => {
    const files = picturesIn(event.clipboardData)
    if (files.length === 0) return
    event.preventDefault()
    void takeAll(files)
  })
  area.addEventListener('dragover', (event) => {
    if ([...(event.dataTransfer?.items ?? [])].some(({ kind }) => kind === 'file')) event.preventDefault()
  })
  area.addEventListener('drop', (event) => {
    const files = picturesIn(event.dataTransfer)
    if (files.length === 0) return
    event.preventDefault()
    void takeAll(files)
  })
  const chooser = document.createElement('input')
  chooser.type = 'file'
  chooser.accept = 'image/*'
  chooser.multiple = true
  chooser.hidden = true
  chooser.addEventListener('change', () => {
    const files = [...(chooser.files ?? [])]
    chooser.value = ''
    void takeAll(files)
  })
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'second'
  button.textContent = texts.picture ?? ''
  button.addEventListener('click', () => chooser.click())
  bar.append(button, chooser)
}
