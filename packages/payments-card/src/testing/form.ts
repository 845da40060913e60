/** A nested form, as sent to Stripe. */
export type FormValue = string | FormValue[] | { [name: string]: FormValue }
export type Form = { [name: string]: FormValue }

/** Parses `a[b][0]=c`, the format of nested values in requests to Stripe. */
export function parseForm(text: string): Form {
  const form: Form = {}
  for (const [key, value] of new URLSearchParams(text)) {
    const path = key.replaceAll(']', '').split('[')
    let place: Record<string, FormValue> = form
    for (const name of path.slice(0, -1)) {
      place[name] ??= {}
      place = place[name] as Record<string, FormValue>
    }
    const last = path.at(-1) ?? ''
    place[last === '' ? `${Object.keys(place).length}` : last] = value
  }
  return form
}

export const objectIn = (form: FormValue | undefined, name: string): Form => {
  const value = typeof form === 'object' && !Array.isArray(form) ? form[name] : undefined
  return typeof value === 'object' && !Array.isArray(value) ? value : {}
}

export const textIn = (form: FormValue | undefined, name: string): string | undefined => {
  const value = typeof form === 'object' && !Array.isArray(form) ? form[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** Returns the string values of an object, for metadata. */
export const textsIn = (form: Form, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(objectIn(form, name)).filter(([, value]) => typeof value === 'string')) as Record<
    string,
    string
  >
