const SPECIAL = /[&<>"']/

function entityOf(codeUnit: number): string | undefined {
  switch (codeUnit) {
    case 0x22:
      return '&quot;'
    case 0x26:
      return '&amp;'
    case 0x27:
      return '&#39;'
    case 0x3c:
      return '&lt;'
    case 0x3e:
      return '&gt;'
    default:
      return undefined
  }
}

/** Escapes text for HTML elements and quoted attributes. Most text has nothing to escape, and is returned as it is. */
export function escapeHtml(text: string): string {
  if (!SPECIAL.test(text)) return text
  let escaped = ''
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    const entity = entityOf(text.charCodeAt(at))
    if (entity === undefined) continue
    escaped += text.slice(from, at) + entity
    from = at + 1
  }
  return escaped + text.slice(from)
}
