import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type FontStyle = 'regular' | 'bold' | 'italic' | 'boldItalic';

/** The files of a family by their styles; one that is absent falls back to bold or regular. */
type FontFiles = { readonly regular: string } & { readonly [Style in FontStyle]?: string };

const require = createRequire(import.meta.url);

/** Files of a package of Google's fonts, which names them after the family. */
function google(
  manifest: string,
  name: string,
  styles: readonly FontStyle[] = ['regular', 'bold'],
): FontFiles {
  const names = {
    regular: '400Regular',
    bold: '700Bold',
    italic: '400Regular_Italic',
    boldItalic: '700Bold_Italic',
  };
  const fileOf = (style: FontStyle) => join(dirname(manifest), names[style], `${name}_${names[style]}.ttf`);
  return {
    regular: fileOf('regular'),
    ...Object.fromEntries(styles.map((style) => [style, fileOf(style)])),
  };
}

/** Files of a package that exports only its script: the fonts lie in the folder beside. */
function besideScript(script: string, name: string): FontFiles {
  const fileOf = (weight: string) => join(dirname(script), '..', 'fonts', `${name}-${weight}.otf`);
  return { regular: fileOf('Regular'), bold: fileOf('Bold') };
}

const allStyles: readonly FontStyle[] = ['regular', 'bold', 'italic', 'boldItalic'];

/** The families by script or by kind of signs, all under the SIL Open Font License; looked up at their first use. */
const families = {
  sans: () => google(require.resolve('@expo-google-fonts/noto-sans/package.json'), 'NotoSans', allStyles),
  mono: () => google(require.resolve('@expo-google-fonts/noto-sans-mono/package.json'), 'NotoSansMono'),
  armenian: () =>
    google(require.resolve('@expo-google-fonts/noto-sans-armenian/package.json'), 'NotoSansArmenian'),
  hebrew: () => google(require.resolve('@expo-google-fonts/noto-sans-hebrew/package.json'), 'NotoSansHebrew'),
  arabic: () => google(require.resolve('@expo-google-fonts/noto-sans-arabic/package.json'), 'NotoSansArabic'),
  devanagari: () =>
    google(require.resolve('@expo-google-fonts/noto-sans-devanagari/package.json'), 'NotoSansDevanagari'),
  bengali: () =>
    google(require.resolve('@expo-google-fonts/noto-sans-bengali/package.json'), 'NotoSansBengali'),
  gurmukhi: () =>
    google(require.resolve('@expo-google-fonts/noto-sans-gurmukhi/package.json'), 'NotoSansGurmukhi'),
  gujarati: () =>
    google(require.resolve('@expo-google-fonts/noto-sans-gujarati/package.json'), 'NotoSansGujarati'),
  tamil: () => google(require.resolve('@expo-google-fonts/noto-sans-tamil/package.json'), 'NotoSansTamil'),
  telugu: () => google(require.resolve('@expo-google-fonts/noto-sans-telugu/package.json'), 'NotoSansTelugu'),
  kannada: () =>
    google(require.resolve('@expo-google-fonts/noto-sans-kannada/package.json'), 'NotoSansKannada'),
  malayalam: () =>
    google(require.resolve('@expo-google-fonts/noto-sans-malayalam/package.json'), 'NotoSansMalayalam'),
  thai: () => google(require.resolve('@expo-google-fonts/noto-sans-thai/package.json'), 'NotoSansThai'),
  georgian: () =>
    google(require.resolve('@expo-google-fonts/noto-sans-georgian/package.json'), 'NotoSansGeorgian'),
  ethiopic: () =>
    google(require.resolve('@expo-google-fonts/noto-sans-ethiopic/package.json'), 'NotoSansEthiopic'),
  sc: () => besideScript(require.resolve('@embedpdf/fonts-sc'), 'NotoSansHans'),
  jp: () => besideScript(require.resolve('@embedpdf/fonts-jp'), 'NotoSansJP'),
  kr: () => besideScript(require.resolve('@embedpdf/fonts-kr'), 'NotoSansKR'),
  symbols: () =>
    google(require.resolve('@expo-google-fonts/noto-sans-symbols-2/package.json'), 'NotoSansSymbols2', []),
  math: () => google(require.resolve('@expo-google-fonts/noto-sans-math/package.json'), 'NotoSansMath', []),
  emoji: () => google(require.resolve('@expo-google-fonts/noto-emoji/package.json'), 'NotoEmoji'),
} satisfies Readonly<Record<string, () => FontFiles>>;

export type FontFamily = keyof typeof families;

const known = new Map<FontFamily, FontFiles>();

/** The style that a family has for a wanted one, and its file. */
export function fontFile(
  family: FontFamily,
  wanted: FontStyle,
): { readonly style: FontStyle; readonly path: string } {
  let files = known.get(family);
  if (files === undefined) {
    files = families[family]();
    known.set(family, files);
  }
  const fallback: FontStyle = wanted === 'boldItalic' ? 'bold' : 'regular';
  for (const style of [wanted, fallback] as const) {
    const path = files[style];
    if (path !== undefined) return { style, path };
  }
  return { style: 'regular', path: files.regular };
}
