const MINUTE_MS = 60_000
/** The length of a time without seconds: `2030-01-31T09:30`. */
const TIME_LENGTH = 16

/**
 * Lets people enter a time in their own zone. The form sends it in UTC, as it does without a script.
 *
 * @param {HTMLInputElement} input - of the type `datetime-local`, with a time in UTC, and a hint with the id `…-hint`
 * @param {string} hint - the text that names the zone, in place of `{zone}`
 */
export function enterInOwnZone(input, hint) {
  const sent = document.createElement('input')
  sent.type = 'hidden'
  sent.name = input.name
  sent.value = input.value
  input.removeAttribute('name')
  input.after(sent)
  if (sent.value !== '') {
    const time = new Date(`${sent.value}Z`)
    input.value = new Date(time.getTime() - time.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, TIME_LENGTH)
  }
  input.addEventListener('input', () => {
    // Without an offset a time is one of the own zone.
    sent.value = input.value === '' ? '' : new Date(input.value).toISOString().slice(0, TIME_LENGTH)
  })
  const shown = document.getElementById(`${input.id}-hint`)
  if (shown) shown.textContent = hint.replace('{zone}', Intl.DateTimeFormat().resolvedOptions().timeZone)
}
