// What a person chose. It is kept in this browser and in links, which never have anything of
// a document.

export interface Settings { language: string; theme: string; profile: string; overlays: string[] | null; at: string }

const name = "einvoice.settings";
const known = ["en", "de", "fr"];

function read(): Settings {
  let kept: Partial<Settings> = {};
  try { kept = JSON.parse(localStorage.getItem(name) ?? "{}"); } catch { /* what is kept is not ours */ }
  const link = new URLSearchParams(location.hash.split("?")[1] ?? "");
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => known.includes(tag)) ?? "en";
  const language = link.get("language") ?? kept.language ?? wanted;
  const at = link.get("at") ?? (typeof kept.at === "string" ? kept.at : "");
  return {
    language: known.includes(language) ? language : "en",
    theme: kept.theme === "light" || kept.theme === "dark" ? kept.theme : "",
    profile: link.get("profile") ?? (typeof kept.profile === "string" ? kept.profile : ""),
    overlays: link.has("overlay") ? link.get("overlay")!.split(",").filter(Boolean) : Array.isArray(kept.overlays) ? kept.overlays.map(String) : null,
    at: /^\d{4}-\d{2}-\d{2}$/.test(at) && !Number.isNaN(Date.parse(at)) ? at : "",
  };
}

export const settings: Settings = read();
export const changed = new EventTarget();

/** Changes settings, keeps them, and tells everyone. */
export function choose(change: Partial<Settings>): void {
  Object.assign(settings, change);
  try { localStorage.setItem(name, JSON.stringify(settings)); } catch { /* a browser that keeps nothing */ }
  apply();
  changed.dispatchEvent(new Event("change"));
}

export function apply(): void {
  document.documentElement.lang = settings.language;
  if (settings.theme) document.documentElement.dataset.theme = settings.theme;
  else delete document.documentElement.dataset.theme;
}

/** A link to a view with the settings. */
export function link(view: string): string {
  const query = new URLSearchParams({ language: settings.language });
  if (settings.profile) query.set("profile", settings.profile);
  if (settings.overlays) query.set("overlay", settings.overlays.join(","));
  if (settings.at) query.set("at", settings.at);
  return `${location.origin}/app#${view}?${query}`;
}
