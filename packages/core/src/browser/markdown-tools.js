// The toolbar of a text in Markdown. What it writes can be undone as typing can.

/**
 * What a button does: it wraps the selection, or begins its lines.
 *
 * @typedef {{ name: string, sign: string, key?: string, before?: string, after?: string, line?: string }} Tool
 */

/** @type {readonly Tool[]} */
const TOOLS = [
  { name: 'bold', sign: 'B', key: 'b', before: '**', after: '**' },
  { name: 'italic', sign: 'I', key: 'i', before: '*', after: '*' },
  { name: 'link', sign: '↗', key: 'k', before: '[', after: '](https://)' },
  { name: 'code', sign: '</>', before: '`', after: '`' },
  { name: 'heading', sign: 'H', line: '## ' },
  { name: 'list', sign: '•', line: '- ' },
  { name: 'numbered', sign: '1.', line: '1. ' },
  { name: 'quote', sign: '❝', line: '> ' },
]

/**
 * Replaces the selection of a text by another one.
 *
 * @param {HTMLTextAreaElement} area
 * @param {string} text
 */
export function writeText(area, text) {
  area.focus()
  // Unlike `setRangeText` it can be undone.
  if (document.execCommand('insertText', false, text)) return
  area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end')
  area.dispatchEvent(new Event('input', { bubbles: true }))
}

/**
 * @param {HTMLTextAreaElement} area
 * @param {Tool} tool
 */
function use(area, { before = '', after = '', line }) {
  const { selectionStart: start, selectionEnd: end, value } = area
  if (line === undefined) {
    const chosen = value.slice(start, end)
    writeText(area, before + chosen + after)
    area.setSelectionRange(start + before.length, start + before.length + chosen.length)
    return
  }
  const from = value.lastIndexOf('\n', start - 1) + 1
  const lines = value.slice(from, end).split('\n')
  const isMarked = lines.every((each) => each.startsWith(line))
  area.setSelectionRange(from, end)
  writeText(area, lines.map((each) => (isMarked ? each.slice(line.length) : line + each)).join('\n'))
}

/**
 * Adds the toolbar above a text.
 *
 * @param {HTMLTextAreaElement} area
 * @param {Record<string, string>} texts
 * @returns {HTMLElement} the toolbar, for further buttons
 */
export function addToolbar(area, texts) {
  const bar = document.createElement('span')
  bar.className = 'tools'
  bar.setAttribute('role', 'group')
  bar.setAttribute('aria-label', texts.tools ?? '')
  for (const tool of TOOLS) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'second'
    const [sign, name] = [document.createElement('span'), document.createElement('span')]
    sign.textContent = tool.sign
    sign.setAttribute('aria-hidden', 'true')
    name.textContent = texts[tool.name] ?? ''
    name.className = 'sr-only'
    button.title = name.textContent
    button.append(sign, name)
    button.addEventListener('click', () => use(area, tool))
    bar.append(button)
  }
  area.before(bar)
  area.addEventListener('keydown', (event) => {
    const tool = (event.ctrlKey || event.metaKey) && !event.altKey && TOOLS.find(({ key }) => key === event.key)
    if (!tool) return
    event.preventDefault()
    use(area, tool)
  })
  return bar
}
