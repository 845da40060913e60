import type { ProfileType } from '@eep/core/ports'

const SIZE = 480

/** A circle of two colors with marks around it, as dials have them. */
function dial(face: string, rim: string, hand: string): string {
  const marks = Array.from({ length: 12 }, (_, hour) => {
    const length = hour % 3 === 0 ? 26 : 14
    return `<rect x="236" y="96" width="8" height="${length}" rx="3" fill="${hand}" transform="rotate(${hour * 30} 240 240)"/>`
  }).join('')
  return `<circle cx="240" cy="240" r="172" fill="${rim}"/><circle cx="240" cy="240" r="152" fill="${face}"/>${marks}`
}

/** Sky and sea with a horizon. */
const view = (sky: readonly [string, string], sea: readonly [string, string]): string =>
  `<defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="${sky[0]}"/><stop offset="1" stop-color="${sky[1]}"/></linearGradient><linearGradient id="w" x2="0" y2="1"><stop stop-color="${sea[0]}"/><stop offset="1" stop-color="${sea[1]}"/></linearGradient></defs><rect width="480" height="480" fill="url(#s)"/><rect y="330" width="480" height="150" fill="url(#w)"/>`

const wave = (y: number, color: string): string =>
  `<path d="M0 ${y}q40 -26 80 0t80 0 80 0 80 0 80 0 80 0V480H0Z" fill="${color}"/>`

/** A drawing for each type of profile, without letters: where no fonts are installed, they would be boxes. */
const DRAWINGS: Readonly<Record<ProfileType, string>> = {
  organization: `<rect width="480" height="480" fill="#12394a"/>${dial('#f6efe0', '#c9973f', '#12394a')}<path d="M240 240 338 158" stroke="#b3402e" stroke-width="12" stroke-linecap="round"/><path d="M240 240 214 322" stroke="#12394a" stroke-width="8" stroke-linecap="round"/><circle cx="240" cy="240" r="16" fill="#c9973f"/>`,
  person: `${view(['#bfe0e6', '#f5e6c8'], ['#4f8d97', '#2c5f6b'])}<path d="M84 480c0-110 64-168 156-168s156 58 156 168Z" fill="#e3b23c"/><path d="M206 300h68v56c0 22-68 22-68 0Z" fill="#d9a27e"/><ellipse cx="240" cy="226" rx="82" ry="96" fill="#e8b894"/><path d="M126 204c8-86 58-124 114-124s106 38 114 124c-60-22-168-22-228 0Z" fill="#e3b23c"/><path d="M112 208c70-34 186-34 256 0l10 20c-80-26-196-26-276 0Z" fill="#c8932a"/><path d="M206 258c18 20 50 20 68 0" stroke="#7d4a33" stroke-width="7" fill="none" stroke-linecap="round"/><circle cx="210" cy="222" r="8" fill="#3a2a22"/><circle cx="270" cy="222" r="8" fill="#3a2a22"/>`,
  place: `${view(['#8fc1d4', '#f8dfb8'], ['#3f7f92', '#255463'])}<path d="M0 360h480v34H0Z" fill="#7b6a5a"/><path d="M170 148h140v212H170Z" fill="#b1543f"/><path d="M156 148 240 74l84 74Z" fill="#4a2f2a"/><path d="M150 150h180v18H150Z" fill="#f3e4c9"/><g fill="#f9e9b0"><rect x="196" y="196" width="34" height="48" rx="4"/><rect x="250" y="196" width="34" height="48" rx="4"/><rect x="196" y="270" width="34" height="48" rx="4"/></g><path d="M250 360v-62c0-22 36-22 36 0v62Z" fill="#4a2f2a"/><path d="M240 74V28l40 14-40 14" fill="#e3b23c" stroke="#4a2f2a" stroke-width="5"/>${wave(412, '#255463')}`,
  asset: `<rect width="480" height="480" fill="#3b2a20"/><circle cx="240" cy="240" r="196" fill="#5a3f2e"/>${dial('#fbf7ec', '#d8a94c', '#4b3a2a')}<path d="M240 240 150 154" stroke="#1f3f4c" stroke-width="10" stroke-linecap="round"/><path d="M240 240 318 196" stroke="#d8a94c" stroke-width="8" stroke-linecap="round"/><circle cx="240" cy="240" r="18" fill="#4b3a2a"/><circle cx="240" cy="52" r="22" fill="none" stroke="#d8a94c" stroke-width="10"/>`,
  product: `<rect width="480" height="480" fill="#e9dfcc"/><rect x="56" y="56" width="368" height="368" rx="44" fill="#a9763f"/><rect x="76" y="76" width="328" height="328" rx="34" fill="#bd8a52"/>${dial('#fffdf6', '#8a5c2e', '#8a5c2e')}<path d="M104 262q34-22 68 0t68 0 68 0 68 0a152 152 0 0 1-272 0Z" fill="#6fb0bd"/><path d="M240 240V124" stroke="#24414b" stroke-width="12" stroke-linecap="round"/><circle cx="240" cy="240" r="16" fill="#24414b"/>`,
  knowledge: `${view(['#5f9fc0', '#dcebf0'], ['#e8d9bd', '#cdb58c'])}<g fill="#fff"><ellipse cx="180" cy="136" rx="86" ry="40"/><ellipse cx="248" cy="112" rx="70" ry="48"/><ellipse cx="306" cy="142" rx="78" ry="36"/></g><path d="M240 240c-52-34-118-38-176-22v182c58-16 124-12 176 22Z" fill="#fffaf0"/><path d="M240 240c52-34 118-38 176-22v182c-58-16-124-12-176 22Z" fill="#f3ead8"/><path d="M240 240v182" stroke="#a5814f" stroke-width="6"/><g stroke="#b9a98b" stroke-width="7" stroke-linecap="round"><path d="M96 262c36-6 76-2 112 14M96 302c36-6 76-2 112 14M96 342c36-6 76-2 112 14M384 262c-36-6-76-2-112 14M384 302c-36-6-76-2-112 14"/></g>`,
  agent: `${view(['#0f2733', '#27566a'], ['#173f4f', '#0b202a'])}<path d="M240 196 480 92V8Z" fill="#ffe9a0" opacity=".55"/><path d="M240 196 0 92V8Z" fill="#ffe9a0" opacity=".3"/><path d="M176 380 206 236h68l30 144Z" fill="#d9553f"/><path d="M188 322h104l8 34H180Z" fill="#f6efe0"/><rect x="212" y="196" width="56" height="44" rx="8" fill="#f6efe0"/><circle cx="240" cy="214" r="18" fill="#ffd54a"/><path d="M206 196h68l-34-34Z" fill="#d9553f"/><path d="M240 162v-40" stroke="#f6efe0" stroke-width="6"/><circle cx="240" cy="114" r="10" fill="#ffd54a"/><ellipse cx="240" cy="384" rx="104" ry="26" fill="#2c6476"/>${wave(404, '#173f4f')}`,
  event: `${view(['#1a1f3a', '#4a4e7d'], ['#20345a', '#101c35'])}<circle cx="348" cy="112" r="52" fill="#f4e7b8"/><circle cx="328" cy="100" r="46" fill="#242a4a"/><path d="M150 330 240 130l90 200Z" fill="#f0e8d8"/><path d="M240 130v222" stroke="#2a1d18" stroke-width="9"/><path d="M104 346h272l-42 62H146Z" fill="#8a3b2c"/><path d="M0 392c70-84 132-62 166-14 40 56 96 20 118-12 40-58 130-46 196 26v88H0Z" fill="#2f5684"/><path d="M0 424c60-52 110-34 150 2s110 14 140-12 110-30 190 18v48H0Z" fill="#183459"/>`,
  custom: `${view(['#f0b98a', '#f7e4c4'], ['#6f8fa3', '#41617a'])}<path d="M60 372c60-74 300-74 360 0Z" fill="#5d5a52"/><path d="M196 350 212 150h56l16 200Z" fill="#f7f3ea"/><path d="M207 214h66l4 44h-74ZM200 300h80l4 44h-88Z" fill="#3d5a73"/><rect x="204" y="116" width="72" height="36" rx="6" fill="#ffe08a"/><path d="M200 116h80l-40-42Z" fill="#3d5a73"/><path d="M196 150h88v12h-88Z" fill="#3d5a73"/>${wave(396, '#41617a')}`,
}

/** Draws the picture of a profile as WebP of a few kilobytes. Undefined where sharp is not installed. */
export async function drawPicture(type: ProfileType): Promise<Uint8Array | undefined> {
  const sharp = await import('sharp').catch(() => undefined)
  if (!sharp) return undefined
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 480" width="${SIZE}" height="${SIZE}">${DRAWINGS[type]}</svg>`
  return sharp.default(Buffer.from(svg)).webp({ quality: 80 }).toBuffer()
}
