// Copies the value of an input, by the button that names it.

export function startCopying() {
  /** @type {NodeListOf<HTMLButtonElement>} */
  const buttons = document.querySelectorAll('button[data-copies]')
  for (const button of buttons) {
    const { copies = '', copied = '' } = button.dataset
    button.hidden = !navigator.clipboard
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(/** @type {HTMLInputElement} */ (document.getElementById(copies)).value)
      button.textContent = copied
    })
  }
}
