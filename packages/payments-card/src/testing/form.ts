/** What Stripe is sent: nested values of a form. */
export type FormValue = string | FormValue[] | { [name: string]: FormValue }
export type Form = { [name: string]: FormValue }

/** Reads `a[b][0]=c`, the way Stripe writes nested values in forms and queries. */
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

/** The texts of an object, as metadata has them. */
export const textsIn = (form: Form, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(objectIn(form, name)).filter(([, value]) => typeof value === 'string')) as Record<
    string,
    string
  >
