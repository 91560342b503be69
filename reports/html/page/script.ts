/** The page's only script: filters the table of all results, and opens what a link points into. The page reads without it. */
export const SCRIPT = `
(function(){
var root=document.documentElement;root.classList.add('js');
var text=document.getElementById('f-text'),verdict=document.getElementById('f-verdict'),family=document.getElementById('f-family'),shown=document.getElementById('f-count');
var rows=[].slice.call(document.querySelectorAll('#all-results tbody tr'));
function apply(){
 var words=text.value.toLowerCase().split(/\\s+/).filter(Boolean),n=0;
 rows.forEach(function(row){
  var open=!verdict.value||verdict.value.split(' ').indexOf(row.dataset.v)>=0;
  open=open&&(!family.value||row.dataset.f===family.value);
  if(open&&words.length){var all=row.textContent.toLowerCase();open=words.every(function(w){return all.indexOf(w)>=0})}
  row.hidden=!open;if(open)n++;
 });
 shown.textContent=n+' of '+rows.length+' results shown';
}
function fromHash(){
 var hash=decodeURIComponent(location.hash.slice(1)),at=hash.match(/^results=([a-z -]*)(?:@([\\w-]*))?$/);
 if(at&&text){verdict.value=at[1]||'';family.value=at[2]||'';apply();var all=document.getElementById('all-results');all.open=true;all.scrollIntoView();return}
 var there=hash&&document.getElementById(hash);
 for(var up=there;up;up=up.parentElement)if(up.tagName==='DETAILS')up.open=true;
 if(there)there.scrollIntoView();
}
if(text){[text,verdict,family].forEach(function(f){f.addEventListener('input',apply)});apply()}
addEventListener('hashchange',fromHash);if(location.hash)fromHash();
addEventListener('beforeprint',function(){[].forEach.call(document.querySelectorAll('details.finding'),function(d){d.open=true})});
})();
`;
