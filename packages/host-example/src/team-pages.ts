/** The form fields to sign in. */
export const SIGN_IN = `<label>Email address <input name="email" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>`

// The page signs in for this action only and stores nothing.
const SIGNED_IN = `
const form = document.querySelector('form')
const said = document.querySelector('p')
const ask = async (method, path, token, body) => {
  const headers = { ...(token && { authorization: 'Bearer ' + token }), ...(body && { 'content-type': 'application/json' }) }
  const answer = await fetch('../' + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const json = await answer.json()
  if (!answer.ok) throw new Error(json.error.message)
  return json
}
const tell = (work) => work().catch((error) => { said.textContent = error.message })
const whenSignedIn = (work) => form.addEventListener('submit', (event) => {
  event.preventDefault()
  tell(async () => work((await ask('POST', 'auth/login', '', Object.fromEntries(new FormData(form)))).token))
})`

export const INVITATION_SCRIPT = `${SIGNED_IN}
const invitation = new URL(location).searchParams.get('token')
history.replaceState(null, '', location.pathname)
whenSignedIn(async (token) => {
  const joined = await ask('POST', 'team/invites/' + encodeURIComponent(invitation) + '/accept', token)
  said.textContent = 'You are in the team of ' + joined.profile.username + ' as ' + joined.role
  form.remove()
})`

export const TRANSFERS_SCRIPT = `${SIGNED_IN}
const act = (token, transfer, title, method, verb) => {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = title
  button.addEventListener('click', () => tell(async () => {
    const { state } = await ask(method, 'transfers/' + transfer.id + verb, token)
    await show(token)
    said.textContent = transfer.profile.username + ': ' + state
  }))
  return button
}
const show = async (token) => {
  const { data } = await ask('GET', 'transfers', token)
  const pending = data.filter(({ state }) => state === 'pending')
  said.textContent = pending.length === 0 ? 'No pending transfers' : ''
  form.replaceChildren(...pending.map((transfer) => {
    const line = document.createElement('p')
    const { direction, from_username, recipient_username, profile } = transfer
    const isMine = direction === 'outgoing'
    line.append(isMine ? 'You offer ' + profile.username + ' to ' + recipient_username : from_username + ' offers you ' + profile.username, ' ')
    line.append(...(isMine
      ? [act(token, transfer, 'Cancel', 'DELETE', '')]
      : [act(token, transfer, 'Accept', 'POST', '/accept'), ' ', act(token, transfer, 'Reject', 'POST', '/reject')]))
    return line
  }))
}
whenSignedIn(show)`
